import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConnectionError, type HttpReply, type HttpSend } from '../../../src/client/index.ts';
import { apiCommand } from '../../../src/commands/api/api.command.ts';
import { outcomeNoun } from '../../../src/commands/outcome/noun.command.ts';
import { smsNoun } from '../../../src/commands/sms/noun.command.ts';
import { describeCall } from '../../../src/features/outcome-journal/describe-call.ts';
import { OutcomeJournal } from '../../../src/features/outcome-journal/index.ts';
import type { RunOptions } from '../../support/run-ucctl.ts';
import { signInAs } from '../../support/sandbox.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

const from = '+16505550110';
const to = '+16505550112';
const api = { name: 'api', summary: '', section: 'Account and setup' as const, commands: [apiCommand] };
const nouns = [smsNoun, outcomeNoun, api];
const minute = 60_000;
const day = 86_400_000;

interface Network {
  /** Whether texts arrive. */
  readonly arrives?: (() => boolean) | undefined;
  /** The service's Date header; undefined for none. */
  readonly date?: (() => number | undefined) | undefined;
  readonly answers?: (() => boolean) | undefined;
}

function dated(reply: HttpReply, time: number | undefined): HttpReply {
  const date = time === undefined ? undefined : new Date(time).toUTCString();
  return { ...reply, header: (name) => (name === 'date' ? date : reply.header(name)) };
}

/** A network that loses the answers to texts. The service's clock does not run, this machine's is `ahead` of it. */
async function office(network: Network = {}, ahead = 0) {
  let served = 0;
  let date: Network['date'] = network.date;
  const lose =
    (send: HttpSend): HttpSend =>
    async (request) => {
      if (request.method !== 'POST' || network.answers?.()) return dated(await send(request), date?.());
      if (network.arrives?.() ?? false) await send(request).then((reply) => reply.text());
      throw new ConnectionError('ECONNRESET', 'unknown', request.url.origin, undefined);
    };
  const opened = await openOffice('administrator', lose);
  const paths = temporaryPaths();
  served = opened.sandbox.clock.now();
  let later = 0;
  date ??= () => served + later;
  const run = (argv: string | readonly string[], options: RunOptions & { readonly later?: number } = {}) => {
    later = options.later ?? 0;
    return opened.run(argv, { nouns, paths, now: served + ahead + later, ...options });
  };
  const states = async (more: RunOptions & { readonly later?: number } = {}) => {
    const resolved = await run('outcome resolve --all --sole-sender -o json', { later: minute, ...more });
    const rows = JSON.parse(resolved.stdout) as { id: number; state: string; reason?: string }[];
    return {
      ...resolved,
      states: rows.toSorted((a, b) => a.id - b.id).map(({ state }) => state),
      reasons: rows.map(({ reason }) => reason ?? '').join(' '),
    };
  };
  return { ...opened, paths, run, states };
}

const send = `sms send --to ${to} hello --yes`;
const body = JSON.stringify({ from: { phoneNumber: from }, to: [{ phoneNumber: to }], text: 'hello' });

describe('outcomes are not called not-sent', () => {
  it('spec:CLIENT-31 for a text that was given as text or bytes', async () => {
    const { run, states, paths } = await office({ arrives: () => true });
    const file = join(paths.state, '..', 'body.json');
    writeFileSync(file, body);
    const path = 'account/~/extension/~/sms';
    expect((await run(['api', 'POST', path, '--input', '-', '--yes'], { stdin: body })).exit).toBe(14);
    expect((await run(['api', 'POST', path, '--input', file, '--yes'])).exit).toBe(14);
    expect((await states()).states).toEqual(['sent', 'sent']);
  });

  it('for a body that cannot be read', async () => {
    const { run, states } = await office();
    const stdin = JSON.stringify({ from: { phoneNumber: from }, to: [{ extensionId: '1' }], text: 'x' });
    await run(['api', 'POST', 'account/~/extension/~/sms', '--input', '-', '--yes'], { stdin });
    expect(await states()).toMatchObject({ exit: 14, states: ['unknown'] });
  });

  it.each([
    ['ahead', 10 * minute],
    ['behind', -10 * minute],
    ['hours ahead', 600 * minute],
  ])('when this clock is %s', async (_, ahead) => {
    const { run, states } = await office({ arrives: () => true }, ahead);
    await run(send);
    expect((await states()).states).toEqual(['sent']);
  });

  it('when the clock was set between the request and the lookup', async () => {
    const { run, states } = await office({ arrives: () => true, date: undefined }, 30 * minute);
    await run(send);
    // Here the clock is right again.
    expect(await states({ later: minute - 30 * minute + 60 * minute })).toMatchObject({ states: ['sent'] });
  });

  it('when the service does not send its time', async () => {
    const { run, states } = await office({ date: () => undefined });
    await run(send);
    expect(await states()).toMatchObject({ exit: 14, states: ['unknown'] });
  });

  it('when another user looks it up', async () => {
    const { run, states, sandbox } = await office({ arrives: () => true });
    await run(send);
    const env = { UCCTL_TOKEN: await signInAs(sandbox, '102') };
    const other = await states({ env: { UCCTL_BASE_URL: sandbox.url, ...env } });
    expect(other).toMatchObject({ exit: 14, states: ['unknown'] });
    expect(other.reasons).toContain('sign in as that user');
    expect((await states()).states).toEqual(['sent']);
  });

  it('when the mailbox may have deleted them', async () => {
    const { run, states } = await office();
    await run(send);
    expect(await states({ later: 6 * day })).toMatchObject({ exit: 14, states: ['unknown'] });
    expect(await states({ later: 2 * day })).toMatchObject({ exit: 0, states: ['not-sent'] });
  });

  it('are not called sent either, when the message found belongs to a text that was answered', async () => {
    let answers = true;
    const { run, states } = await office({ answers: () => answers });
    const line = ['api', 'POST', 'account/~/extension/~/sms', '--input', '-', '--yes'];
    expect((await run(line, { stdin: body })).exit).toBe(0);
    answers = false;
    expect((await run(line, { stdin: body })).exit).toBe(14);
    expect((await states()).states).toEqual(['not-sent']);
  });
});

it('the owner is stored in journals that were created without one', () => {
  const { state } = temporaryPaths();
  const owner = { profile: 'p', origin: 'https://service.example' };
  const call = { kind: 'sms', extension: '~', digest: 'd', to: '+1' } as const;
  for (const who of ['extension 1', 'extension 2']) {
    const journal = OutcomeJournal.open(state);
    journal.begin({ ...owner, who }, call, undefined, 1000);
    journal.close();
  }
  const journal = OutcomeJournal.open(state);
  expect(journal.listAll(owner.origin, 2000).map((one) => one.owner)).toEqual(['extension 2', 'extension 1']);
  journal.close();
});

it.each([JSON.parse(body) as unknown, body, Buffer.from(body)])(
  'a call is described whatever its body is',
  (one) => {
    const path = '/restapi/v1.0/account/~/extension/~/sms';
    const known = describeCall({ method: 'POST', path, body: JSON.parse(body) });
    expect(describeCall({ method: 'POST', path, body: one })).toEqual(known);
    expect(known?.digest).toMatch(/^[0-9a-f]{64}$/);
  },
);
