import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConnectionError, type HttpReply, type HttpSend } from '../../../src/client/index.ts';
import { outcomeNoun } from '../../../src/commands/outcome/noun.command.ts';
import { smsNoun } from '../../../src/commands/sms/noun.command.ts';
import { OutcomeJournal } from '../../../src/features/outcome-journal/index.ts';
import type { RunOptions } from '../../support/run-ucctl.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

const to = '+16505550112';
const nouns = [smsNoun, outcomeNoun];
const everyNoun = { nouns: undefined };

/** A network that loses the answers to texts: `done` says whether the request arrives. */
function losing(done: () => boolean): (send: HttpSend) => HttpSend {
  return (send) => async (request) => {
    if (request.method !== 'POST') return send(request);
    if (done()) await send(request).then((reply) => reply.text());
    throw new ConnectionError('ECONNRESET', 'unknown', request.url.origin, undefined);
  };
}

/** The service tells its time, as every server does. */
function dated(reply: HttpReply, time: number): HttpReply {
  const date = new Date(time).toUTCString();
  return { ...reply, header: (name) => (name === 'date' ? date : reply.header(name)) };
}

async function office(around?: (send: HttpSend) => HttpSend) {
  let time = 0;
  const opened = await openOffice('administrator', (send) => {
    const broken = around?.(send) ?? send;
    return async (request) => dated(await broken(request), time);
  });
  const paths = temporaryPaths();
  const now = opened.sandbox.clock.now();
  const run = (argv: string | readonly string[], later = 0, options: RunOptions = {}) => {
    time = now + later;
    return opened.run(argv, { nouns, paths, now: time, ...options });
  };
  return { ...opened, paths, run };
}

describe('outcomes', () => {
  it('of an unreadable reply are unknown, and are resolved by a lookup', async () => {
    const { run, sandbox } = await office();
    await sandbox.control('POST', '/faults', { kind: 'bad-json', operation: 'sendSms', times: 1 });
    expect((await run(`sms send --to ${to} hello --yes`)).exit).toBe(14);
    const listed = JSON.parse((await run('outcome list -o json')).stdout) as object[];
    expect(listed).toMatchObject([{ state: 'unknown' }]);
    await run('outcome resolve --all --sole-sender', 120_000);
    const settled = JSON.parse((await run('outcome list -o json', 120_000)).stdout) as object[];
    expect(settled).toMatchObject([{ state: 'sent' }]);
  });

  it('are listed up to a limit, newest first', async () => {
    const { run } = await office();
    for (const text of ['one', 'two', 'three']) await run(`sms send --to ${to} ${text} --yes`);
    const ids = async (flags: string): Promise<readonly number[]> =>
      (JSON.parse((await run(`outcome list -o json${flags}`)).stdout) as { id: number }[]).map(
        ({ id }) => id,
      );
    const all = await ids('');
    expect(await ids(' --limit 2')).toEqual(all.slice(0, 2));
    expect(await ids(' -L 2 --state sent')).toEqual(all.slice(0, 2));
    expect(await ids(' --state failed --limit 2')).toEqual([]);
    expect((await run('outcome list --limit 0')).exit).toBe(2);
    expect((await run('outcome list --help')).stdout).toMatch(/-L, --limit N +Maximum number of requests/);
  });

  it('rel:5 are recorded before a text is sent, in a file of this user, without the text', async () => {
    let rows: readonly string[] = [];
    const { run, paths } = await office((send) => (request) => {
      if (request.method === 'POST') {
        const journal = OutcomeJournal.open(paths.state);
        rows = journal.list({ profile: 'default', origin: request.url.origin }, 0).map(({ state }) => state);
        journal.close();
      }
      return send(request);
    });
    expect((await run(`sms send --to ${to} secret --yes`)).exit).toBe(0);
    expect(rows).toEqual(['sending']);
    const { stdout } = await run('outcome list -o json');
    expect(JSON.parse(stdout)).toMatchObject([{ id: 1, kind: 'sms', state: 'sent', to: '+1********12' }]);
    expect(stdout).not.toContain('secret');
    expect(statSync(join(paths.state, 'outcomes.db')).mode & 0o777).toBe(0o600);
    expect(statSync(paths.state).mode & 0o777).toBe(0o700);
  });

  it.each([
    ['arrived', true, 'sent', 0],
    ['did not arrive', false, 'not-sent', 0],
  ])('rel:26 of texts that %s are resolved by a lookup', async (_, arrives, state) => {
    const { run } = await office(losing(() => arrives));
    const sent = await run(`sms send --to ${to} hello --yes`);
    expect(sent.exit).toBe(14);
    expect(sent.stderr).toContain('ucctl outcome resolve');
    const resolved = await run('outcome resolve 1 --sole-sender -o json', 60_000);
    expect([resolved.exit, JSON.parse(resolved.stdout)]).toMatchObject([0, [{ id: 1, state }]]);
    expect(JSON.parse((await run('outcome list -o json')).stdout)).toMatchObject([{ state }]);
  });

  it('of two equal texts, one of which arrived, are sent and not sent', async () => {
    let count = 0;
    const { run } = await office(losing(() => (count += 1) === 1));
    await run(`sms send --to ${to} hello --yes`);
    await run(`sms send --to ${to} hello --yes`);
    const { stdout } = await run('outcome resolve --all --sole-sender -o json', 60_000);
    const states = (JSON.parse(stdout) as { id: number; state: string }[]).toSorted((a, b) => a.id - b.id);
    expect(states.map(({ state }) => state)).toEqual(['sent', 'not-sent']);
  });

  it('are resolved once if an id is given twice', async () => {
    const { run } = await office(losing(() => true));
    await run(`sms send --to ${to} hello --yes`);
    const { exit, stdout } = await run('outcome resolve 1 1 --sole-sender -o json', 60_000);
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, [{ id: 1, state: 'sent' }]]);
    expect(JSON.parse((await run('outcome list -o json')).stdout)).toMatchObject([{ state: 'sent' }]);
  });

  it('spec:CLIENT-31 are also resolved by outcome resolve', async () => {
    const { run } = await office(losing(() => true));
    await run(`sms send --to ${to} hello --yes`);
    const { exit, stdout } = await run('sms resolve --all --sole-sender -o json', 60_000, everyNoun);
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, [{ state: 'sent' }]]);
  });

  it('stay unknown while a request may still be on its way', async () => {
    const { run } = await office(losing(() => false));
    await run(`sms send --to ${to} hello --yes`);
    expect((await run('outcome resolve --all', 2000)).exit).toBe(14);
    expect((await run('outcome list --state unknown -o json')).stdout).toContain('unknown');
  });

  it('are named by the error of the send, in JSON and in the hint', async () => {
    const { run } = await office(losing(() => true));
    const first = await run(`sms send --to ${to} hello --yes`);
    expect([first.exit, first.stderr]).toEqual([
      14,
      expect.stringContaining('check: ucctl outcome resolve 1\n'),
    ]);
    const { stderr } = await run(`sms send --to ${to} bye --yes --quiet -o json`);
    expect(JSON.parse(stderr)).toMatchObject({
      error: {
        code: 'outcome_unknown',
        outcome: 2,
        hint: expect.stringContaining('ucctl outcome resolve 2'),
      },
    });
  });

  it('of an unreadable reply are named by the error of the send', async () => {
    const { run, sandbox } = await office();
    await sandbox.control('POST', '/faults', { kind: 'bad-json', operation: 'sendSms', times: 1 });
    const { stderr } = await run(`sms send --to ${to} hello --yes --quiet -o json`);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'outcome_unknown', outcome: 1 } });
  });

  it('whose message is found name it even while a request may still be under way', async () => {
    const { run } = await office(losing(() => true));
    await run(`sms send --to ${to} hello --yes`);
    const { exit, stderr } = await run('outcome resolve --all', 3000);
    expect(exit).toBe(14);
    expect(stderr).toMatch(/message \d+ of \S+ has the same text and recipients/);
    expect(stderr).not.toMatch(/not found|do not contain/);
  });

  it('whose message is not found yet name the time after which that is certain, and the search for all', async () => {
    const { run } = await office(losing(() => false));
    await run(`sms send --to ${to} hello --yes`);
    const one = await run('outcome resolve --all', 3000);
    expect(one.stderr).toMatch(
      /the message was not found, but it is too early to be sure: .*; retry in 7 s: ucctl outcome resolve 1\n/,
    );
    await run(`sms send --to ${to} hello --yes`);
    const two = await run('outcome resolve --all', 3000);
    expect(two.stderr).toMatch(
      /outcome resolve \d; to search for all of them again: ucctl outcome resolve --all\n/,
    );
    const later = await run('outcome resolve --all -o json', 10_001);
    expect([later.exit, JSON.parse(later.stdout)]).toMatchObject([
      0,
      [{ state: 'not-sent' }, { state: 'not-sent' }],
    ]);
  });

  it('with the same key are limited to one in 24 h', async () => {
    const { run, sandbox } = await office();
    const line = `sms send --to ${to} hello --yes --dedupe-key order-7`;
    expect((await run(line)).exit).toBe(0);
    const again = await run(line, 23 * 3_600_000);
    expect([again.exit, again.stderr]).toEqual([11, expect.stringContaining('order-7')]);
    expect(sandbox.messages()).toHaveLength(2);
    expect((await run(line, 25 * 3_600_000)).exit).toBe(0);
  });

  it('are not found for an unknown id, or without one', async () => {
    const { run, paths } = await office();
    expect((await run('outcome resolve 99')).exit).toBe(3);
    expect((await run('outcome resolve')).exit).toBe(2);
    expect(existsSync(paths.state)).toBe(true);
  });
});

it('of a process that ended while sending are unknown', () => {
  const journal = OutcomeJournal.open(temporaryPaths().state);
  const owner = { profile: 'p', origin: 'https://service.example' };
  const call = { kind: 'sms', extension: '~', digest: 'd', to: '+1' } as const;
  journal.begin(owner, call, 'k', 1000);
  expect(journal.list(owner, 2000).map(({ state }) => state)).toEqual(['sending']);
  // No process can be under way for so long, whoever has its number now.
  expect(journal.list(owner, 1000 + 3 * 3_600_000).map(({ state }) => state)).toEqual(['unknown']);
  journal.close();
});

it('never get the ID of an outcome that was deleted', () => {
  const journal = OutcomeJournal.open(temporaryPaths().state);
  const owner = { profile: 'p', origin: 'https://service.example' };
  const call = { kind: 'sms', extension: '~', digest: 'd', to: '+1' } as const;
  const send = (at: number): number => {
    const id = journal.begin(owner, call, undefined, at);
    journal.end(id, { state: 'sent', serviceId: '1' }, at);
    return id;
  };
  const later = 40 * 86_400_000;
  const ids = [send(1000), send(2000), send(later), send(later + 1), send(2 * later)];
  expect(new Set(ids).size).toBe(ids.length);
  // Expired outcomes are deleted when a request of the next day is recorded.
  send(2 * later + 86_400_000);
  expect(journal.list(owner, 2 * later)).toHaveLength(2);
  journal.close();
});

it('keep their dedupe key for a day, also if the clock is ahead by months for a while', async () => {
  const { run } = await office();
  const send = (words: string, later: number) => run(`sms send --to ${to} --yes ${words}`, later);
  expect((await send('--dedupe-key order-1 hello', 0)).exit).toBe(0);
  for (const text of ['one', 'two', 'three']) expect((await send(text, 60 * 86_400_000)).exit).toBe(0);
  const again = await send('--dedupe-key order-1 hello', 3_600_000);
  expect([again.exit, again.stderr]).toEqual([11, expect.stringContaining('order-1')]);
});
