import { appendFileSync, mkdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CallLog, type LoggedCall } from '../../../src/commands/mcp/call-log.ts';
import { SentSecrets } from '../../../src/platform/sent-secrets.ts';
import { temporaryPaths } from '../../support/temporary.ts';

const call: LoggedCall = { client: 'agent', tool: 'queue_read', words: ['queue'], outcome: 'done', exit: 0 };
const row = (tool: string): string => JSON.stringify({ time: '2026-01-05T09:00:00.000Z', ...call, tool });
/** A size above the limit of one file. */
const large = 5_000_001;

function openLog(): { readonly file: string; readonly open: () => CallLog } {
  const paths = temporaryPaths();
  const file = join(paths.state, 'mcp-calls.ndjson');
  mkdirSync(paths.state, { recursive: true });
  writeFileSync(file, '', { mode: 0o600 });
  return { file, open: () => new CallLog({ paths, now: () => 0, sentSecrets: new SentSecrets() }) };
}

const toolsIn = async (log: CallLog): Promise<readonly string[]> =>
  (await log.read()).map(({ tool }) => tool);

describe('the log of tool calls', () => {
  it('does not contain the password of an address', async () => {
    const log = openLog().open();
    await log.add({ ...call, words: ['webhook', 'check', 'https://ada:Geheim-7f3a@host.example/x'] });
    expect((await log.read()).map(({ command }) => command)).toEqual([
      "webhook check 'https://***@host.example/x'",
    ]);
  });

  it('is neither written nor read through a link', async () => {
    const { file, open } = openLog();
    renameSync(file, `${file}.target`);
    symlinkSync(`${file}.target`, file);
    const unsafe = { name: 'UnsafePathError', path: file };
    await expect(open().add(call)).rejects.toMatchObject(unsafe);
    await expect(open().read()).rejects.toMatchObject(unsafe);
    expect(statSync(`${file}.target`).size).toBe(0);
  });

  it('records a call after a line that a crash truncated', async () => {
    const { file, open } = openLog();
    appendFileSync(file, `${row('first')}\n${row('truncated').slice(0, 40)}`);
    const log = open();
    await log.add(call);
    await log.add({ ...call, tool: 'queue_plan' });
    expect(await toolsIn(log)).toEqual(['first', 'queue_read', 'queue_plan']);
  });

  it('reads the first call after an earlier file whose last line a crash truncated', async () => {
    const { file, open } = openLog();
    writeFileSync(`${file}.1`, `${row('first')}\n${row('truncated').slice(0, 40)}`);
    const log = open();
    await log.add(call);
    expect(await toolsIn(log)).toEqual(['first', 'queue_read']);
  });

  it('keeps the earlier calls if two processes begin a new file at the same time', async () => {
    const { file, open } = openLog();
    appendFileSync(file, `${row('first')}\n${' '.repeat(large)}\n`);
    const [one, other] = [open(), open()];
    await Promise.all([one.add({ ...call, tool: 'one' }), other.add({ ...call, tool: 'other' })]);
    expect((await toolsIn(one)).toSorted()).toEqual(['first', 'one', 'other']);
    expect([statSync(`${file}.1`).size > large, statSync(file).mode & 0o777]).toEqual([true, 0o600]);
  });
});
