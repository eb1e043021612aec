import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readWorkbook } from '../../../src/features/bulk/workbook/read-workbook.ts';
import type { HttpSend } from '../../../src/client/index.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { openLiveOffice } from '../live-office.ts';

const rows = Array.from({ length: 40 }, (_, index) => `+1650555${2000 + index}`);
const words = 'sms send -f list.csv --template Hello --from +16505550110 --yes --results'.split(' ');

/**
 * Blocks the results file when the service receives a certain text, and returns the statuses that the file had. The
 * service rejects the text to `rejected`.
 */
async function blockedAt(count: number, rejected?: string) {
  const cwd = temporaryFolder();
  const file = join(cwd, 'done.csv');
  writeFileSync(join(cwd, 'list.csv'), ['to', ...rows, ''].join('\n'));
  let statuses: ReadonlyMap<string | undefined, string | undefined> = new Map();
  const sent: string[] = [];
  const spy =
    (inner: HttpSend): HttpSend =>
    (request) => {
      if (request.method !== 'POST') return inner(request);
      sent.push((JSON.parse(String(request.body)) as { to: [{ phoneNumber: string }] }).to[0].phoneNumber);
      if (sent.length === count) {
        const lines = readFileSync(file, 'utf8')
          .split('\n')
          .map((line) => line.split(','));
        statuses = new Map(lines.map(([number, status]) => [number, status]));
        rmSync(file);
        mkdirSync(join(file, 'occupied'), { recursive: true });
      }
      if (sent.at(-1) !== rejected) return inner(request);
      const body = { errorCode: 'MSG-246', message: 'the number is not valid' };
      return Promise.resolve(fakeReply({ status: 400, body }));
    };
  const { run } = await openLiveOffice('administrator', {}, spy);
  const at = { cwd, paths: temporaryPaths() };
  const result = await run([...words, 'done.csv'], at);
  const resumeBlocked = () => run('sms send --resume last --yes', at);
  const resume = () => {
    rmSync(file, { recursive: true });
    return resumeBlocked();
  };
  const sentRows = () => readFileSync(file, 'utf8').match(/,sent,/g)?.length;
  return { ...result, sent, statuses, resume, resumeBlocked, sentRows };
}

describe('a results file that can no longer be written', () => {
  it('stops the run: no text is sent that the file contains as "not-sent"', async () => {
    const { exit, stderr, sent, statuses, resume, resumeBlocked, sentRows } = await blockedAt(5);
    expect([exit, stderr]).toEqual([8, expect.stringContaining('cannot write the results file')]);
    expect(stderr).toMatch(
      /of 40 texts were sent, 0 failed, \d+ are left\n {2}try: {5}resume the run: ucctl sms send --resume/,
    );
    expect(stderr.match(/cannot write the results file/g)).toHaveLength(1);
    expect(sent.length).toBeLessThan(rows.length);
    expect(sent.map((number) => statuses.get(number))).not.toContain('not-sent');
    expect((await resumeBlocked()).exit).toBe(12);
    expect((await resume()).exit).toBe(0);
    expect([new Set(sent).size, sent.length, sentRows()]).toEqual([rows.length, rows.length, rows.length]);
  });

  it('after the last text is reported after the results', async () => {
    const { exit, stdout, stderr, resume, sentRows } = await blockedAt(rows.length);
    expect(exit).toBe(12);
    expect(stdout.trim().split('\n')).toHaveLength(rows.length);
    expect(stderr).toMatch(
      /error: all changes are made, but ucctl cannot write the results file .*\n {2}try: {5}free up disk space, then write the results file again: ucctl sms send --resume \d/,
    );
    expect((await resume()).exit).toBe(0);
    expect(sentRows()).toBe(rows.length);
  });

  it('before the first text prevents the run, which does not block its list', async () => {
    const { run } = await openLiveOffice('administrator');
    const at = { cwd: temporaryFolder(), paths: temporaryPaths() };
    writeFileSync(join(at.cwd, 'list.csv'), `to\n${rows[0]}\n`);
    expect((await run([...words, 'list.csv/done.csv'], at)).exit).toBe(12);
    expect((await run('history list --fields state', at)).stdout).toBe('abandoned\n');
    expect((await run(words.slice(0, -1), at)).exit).toBe(0);
  });

  it('is also reported if a text failed', async () => {
    const { exit, stderr } = await blockedAt(rows.length, rows[0]);
    expect([exit, stderr]).toEqual([8, expect.stringContaining('warning: cannot write the results file')]);
    expect(stderr).toContain('1 of 40 texts was not sent');
    // The file does not show which texts were sent.
    expect(stderr).toMatch(/write the results file again: ucctl sms send --resume \S+\n/);
    expect(stderr).not.toContain('--file');
  });
});

/** Runs a list of texts, and reads its results file while the service processes a request. */
async function running(file: string, more: readonly string[] = []) {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'list.csv'), ['to', ...rows, ''].join('\n'));
  const columnsOf = (): readonly (readonly string[])[] =>
    readFileSync(join(cwd, file), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','));
  const statuses = (): readonly (string | undefined)[] => columnsOf().map(([, status]) => status);
  const stop = new AbortController();
  const seen: { readonly number: string; readonly statuses: ReturnType<typeof statuses> }[] = [];
  const spy =
    (inner: HttpSend): HttpSend =>
    (request) => {
      if (request.method === 'POST') {
        const body = JSON.parse(String(request.body)) as { to: [{ phoneNumber: string }] };
        seen.push({ number: body.to[0].phoneNumber, statuses: statuses() });
        if (seen.length === 7 && more.includes('stop')) stop.abort(new Error('interrupted'));
      }
      return inner(request);
    };
  const { run } = await openLiveOffice('administrator', {}, spy);
  const signal = more.includes('stop') ? { signal: stop.signal } : {};
  const at = { cwd, paths: temporaryPaths() };
  const { exit } = await run([...words, file], { ...at, ...signal });
  const resume = () => run('sms send --resume last --yes', at);
  return { exit, seen, statuses, columnsOf, resume, read: () => readFileSync(join(cwd, file)) };
}

describe('the results file of a list of texts', () => {
  it('never says "not-sent" of a text whose request is in progress or done', async () => {
    const { exit, seen, statuses } = await running('done.csv');
    expect([exit, seen.length]).toEqual([0, rows.length]);
    for (const [index, { number, statuses: shown }] of seen.entries()) {
      const started = shown.slice(0, index + 1);
      expect([number, started.filter((status) => status !== 'sent' && status !== 'unknown')]).toEqual([
        rows[index],
        [],
      ]);
      expect(shown[index]).toBe('unknown');
    }
    expect(statuses()).toEqual(rows.map(() => 'sent'));
  });

  it('explains such a row, and begins with one row only', async () => {
    const { seen } = await running('done.csv');
    expect(seen[0]?.statuses.filter((status) => status === 'unknown')).toHaveLength(1);
    expect(seen[0]?.statuses.slice(1)).toEqual(rows.slice(1).map(() => 'not-sent'));
  });

  it('says "not-sent" again of the texts that an interrupted run did not send', async () => {
    const { exit, seen, statuses } = await running('done.csv', ['stop']);
    expect(exit).not.toBe(0);
    expect(statuses().filter((status) => status === 'not-sent')).toHaveLength(rows.length - seen.length);
  });

  it('is completed by --resume, also as a workbook', async () => {
    const { exit, seen, resume, read } = await running('done.xlsx', ['stop']);
    expect(exit).not.toBe(0);
    const texts = async (): Promise<readonly string[]> =>
      (await readWorkbook(read(), 'Results')).rows.slice(1).map(({ cells }) => cells.join(' '));
    const before = await texts();
    expect(before.map((text) => text.includes('not-sent'))).toEqual(
      rows.map((_, index) => index >= seen.length),
    );
    const done = before.slice(0, seen.length - 1);
    expect((await resume()).exit).toBe(0);
    expect(seen.map(({ number }) => number)).toEqual(rows);
    const after = await texts();
    expect(after).toEqual(rows.map((number) => expect.stringMatching(new RegExp(`^\\${number} sent `))));
    // The results of the first run stay.
    expect(after.slice(0, done.length)).toEqual(done);
  });
});
