import { describe, expect, it } from 'vitest';
import type { Call } from '../../src/client/index.ts';
import { createRecorder, type Outcome, type SendJournal } from '../../src/features/outcome-journal/index.ts';
import { describeCall } from '../../src/features/outcome-journal/describe-call.ts';
import { KeyUsedError, OutcomeResolvedError } from '../../src/errors/command.ts';
import { type Hint, hintText } from '../../src/errors/hint.ts';
import { SentSecrets } from '../../src/platform/sent-secrets.ts';
import { smsBatchesPath, smsPath } from '../../src/platform/sending-paths.ts';
import { deferred } from '../support/deferred.ts';

const owner = { profile: 'default', origin: 'https://service.example' };
const party = (phoneNumber: string) => ({ phoneNumber });
const [one, two, three] = ['+16505550110', '+16505550112', '+16505550113'];
const post = (path: string, body: unknown): Call => ({ method: 'POST', path, body, once: true });
const text = post(smsPath, { from: party(one), to: [party(two)], text: 'hello' });
const fax = '/restapi/v1.0/account/~/extension/~/fax';
const chat = '/restapi/v1.0/glip/groups/7/posts';
const earlier = (state: Outcome['state']): Outcome => ({
  id: 3,
  state,
  ...owner,
  kind: 'sms',
  extension: '~',
  digest: '',
  to: '',
  owner: undefined,
  startedAt: 0,
  endedAt: undefined,
  serviceId: undefined,
  dedupeKey: 'key',
});

/** A recorder with a journal whose functions can be replaced. */
function open(journal: Partial<SendJournal> = {}) {
  const calls: [string, ...unknown[]][] = [];
  const warnings: string[] = [];
  const killedTexts = new Set<() => Hint>();
  const sentSecrets = new SentSecrets();
  const whole = {
    claim: (claim: unknown) => {
      calls.push(['claim', claim]);
      return Promise.resolve({ id: 7 });
    },
    renew: () => Promise.resolve('sending'),
    withKey: (use: unknown) => {
      calls.push(['withKey', use]);
      return Promise.resolve(undefined);
    },
    end: (...parts: unknown[]) => {
      calls.push(['end', ...parts]);
      return Promise.resolve();
    },
    ...journal,
  } as SendJournal;
  const admit = () => undefined;
  const recorder = createRecorder(whole, owner, {
    whose: () => Promise.resolve('extension 1'),
    admit,
    sentSecrets,
    warn: (words) => void warnings.push(words),
    warnIfKilled: (words) => {
      killedTexts.add(words);
      return () => void killedTexts.delete(words);
    },
  });
  const ifKilled = () => Array.from(killedTexts, (words) => hintText(words()));
  return { recorder, ifKilled, calls, warnings, admit, sentSecrets };
}

describe('the recorder of sends', () => {
  it('records sends with the hourly limit, a post to a chat without it, and no other request', async () => {
    const { recorder, calls, admit } = open();
    for (const path of [smsPath, fax, chat, '/restapi/v1.0/subscription'])
      await recorder.before(post(path, { text: 'x' }), 'key', 5);
    expect(calls).toMatchObject([
      ['claim', { sender: { ...owner, who: 'extension 1' }, dedupeKey: 'key', since: 5, admit }],
      ['claim', { call: { kind: 'fax' }, admit }],
      ['claim', { call: { kind: 'chat-post' }, admit: undefined }],
    ]);
  });

  it.each([
    [{ state: 'sent', reply: { text: '{"id":5}', date: 'Mon, 05 Jan 2026 09:00:00 GMT' } }, '5'],
    [{ state: 'sent', reply: { text: 'no JSON' } }, undefined],
    [{ state: 'failed', reply: { text: '{"id":5}' } }, undefined],
  ] as const)('records the end %j with the ID %s', async (report, serviceId) => {
    const { recorder, calls } = open();
    await (await recorder.before(text, undefined)).settle(report);
    const serviceTime = 'date' in report.reply ? Date.UTC(2026, 0, 5, 9) : undefined;
    expect(calls.at(-1)).toEqual(['end', 7, { state: report.state, serviceId, serviceTime }]);
  });

  it('masks a secret that the service repeats as an ID', async () => {
    const { recorder, calls, sentSecrets } = open();
    const token = 'u1-9f8e7d6c5b4a39281706';
    sentSecrets.add({ url: new URL(owner.origin), headers: { authorization: `Bearer ${token}` } });
    const reply = { text: JSON.stringify({ id: token }) };
    await (await recorder.before(text, undefined)).settle({ state: 'sent', reply });
    expect(JSON.stringify(calls)).not.toContain(token);
    expect(calls.at(-1)).toMatchObject(['end', 7, { state: 'sent', serviceId: '***' }]);
  });

  it('ends only after the outcome is recorded, and reports an outcome that cannot be recorded', async () => {
    const recorded = deferred();
    const slow = open({ end: () => recorded.promise });
    const settled = (await slow.recorder.before(text, undefined)).settle({ state: 'sent' });
    const waits = new Promise((resolve) => setImmediate(resolve, 'waits'));
    expect(await Promise.race([settled, waits])).toBe('waits');
    recorded.resolve();
    await settled;
    const full = open({ end: () => Promise.reject(new Error('disk full')) });
    await (await full.recorder.before(text, undefined)).settle({ state: 'sent' });
    expect(full.warnings).toEqual([expect.stringContaining('could not record outcome 7 (sent)')]);
  });

  it('names the outcomes of the requests without a reply if a signal ends the process', async () => {
    let id = 6;
    const { recorder, ifKilled } = open({ claim: () => Promise.resolve({ id: (id += 1) }) });
    const first = await recorder.before(text, undefined);
    const one =
      'exited without the reply to a request, which may have taken effect (outcome 7); to find out: ucctl outcome resolve 7';
    expect(ifKilled()).toEqual([one]);
    const second = await recorder.before(text, undefined);
    expect(ifKilled()).toEqual([
      'exited without the replies to 2 requests, which may have taken effect (outcomes 7, 8); to find out: ucctl outcome resolve 7 8',
    ]);
    await second.settle({ state: 'sent' });
    expect(ifKilled()).toEqual([one]);
    await first.settle({ state: 'sent' });
    expect(ifKilled()).toEqual([]);
    await recorder.before(text, undefined);
    expect(ifKilled()).toHaveLength(1);
  });

  it('names no outcome of a request that was resolved while it waited', async () => {
    const { recorder, ifKilled } = open({ renew: () => Promise.resolve('not-sent') });
    const record = await recorder.before(text, undefined);
    await expect(record.confirm()).rejects.toThrow(OutcomeResolvedError);
    expect(ifKilled()).toEqual([]);
  });

  it.each(['not-sent', 'sent', undefined] as const)(
    'does not send or record a request that was resolved as %s while it waited',
    async (state) => {
      const { recorder, calls } = open({ renew: () => Promise.resolve(state) });
      const record = await recorder.before(text, undefined);
      await expect(record.confirm()).rejects.toThrow(OutcomeResolvedError);
      await record.settle({ state: 'failed' });
      expect(calls.map(([name]) => name)).toEqual(['claim']);
    },
  );

  it.each([
    ['sent', true, 'use another key'],
    ['unknown', false, 'outcome resolve 3'],
  ] as const)('rejects a key of a request with the outcome %s', async (state, wasSent, hint) => {
    const found = { earlier: earlier(state) };
    const { recorder } = open({
      claim: () => Promise.resolve(found),
      withKey: () => Promise.resolve(found.earlier),
    });
    const listed = `monday:${'a'.repeat(24)}`;
    for (const check of ['before', 'requireUnused'] as const) {
      const error = await recorder[check](text, listed, 5).then(
        () => undefined,
        (failure: unknown) => failure,
      );
      expect(error).toBeInstanceOf(KeyUsedError);
      expect(error).toMatchObject({
        wasSent,
        message: expect.stringContaining('the key "monday" at') as string,
      });
      expect(JSON.stringify(error)).toContain(hint);
      await expect(recorder[check](text, listed)).rejects.toThrow(`the key "${listed}" at`);
    }
  });

  it('checks the key of a dry run with the content of the request', async () => {
    const { recorder, calls } = open();
    await recorder.requireUnused(text, 'key', 5);
    const digest = describeCall(text)?.digest;
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(calls).toEqual([['withKey', { origin: owner.origin, dedupeKey: 'key', digest, since: 5 }]]);
  });
});

describe('the description of a send', () => {
  const digestOf = (path: string, body: unknown) => describeCall(post(path, body))?.digest;

  it('has an equal digest for the same text to the same recipients, in any order', () => {
    const of = (to: readonly string[], words = 'hi') =>
      digestOf(smsPath, { from: party(one), to: to.map(party), text: words });
    expect(of([two, three])).toBe(of([three, two]));
    expect(new Set([of([two]), of([three]), of([two, three]), of([two], 'ho')]).size).toBe(4);
  });

  it('has a digest of extension numbers, and none without all numbers or without a text', () => {
    const pager = '/restapi/v1.0/account/~/extension/~/company-pager';
    const of = (to: string) =>
      digestOf(pager, { from: { extensionNumber: '101' }, to: [{ extensionNumber: to }], text: 'x' });
    expect(of('102')).not.toBe('');
    expect(of('102')).not.toBe(of('103'));
    const unreadable = [
      { to: [party(two)], text: 'x' },
      { from: party(one), to: [{ extensionId: 7 }], text: 'x' },
    ];
    for (const body of [...unreadable, { from: party(one), to: [party(two)] }])
      expect(digestOf(smsPath, body)).toBe('');
  });

  it('has an equal digest for the same texts of a batch, in any order', () => {
    const of = (...messages: unknown[]) => digestOf(smsBatchesPath, { from: one, text: 'x', messages });
    const [first, second] = [{ to: [two] }, { to: [three], text: 'y' }];
    expect(of(first, second)).toBe(of(second, first));
    expect(of(first, second)).toMatch(/^batch:/);
    expect(of(first)).not.toBe(of(first, second));
    expect(of(first, { text: 'to nobody' })).toBe('');
  });

  it('has the digest of the members of a streamed fax, and of all bytes of another body', () => {
    const stream = (name: string) => ({ size: 1, summary: { to: [party(two)], name }, open: () => [] });
    expect(digestOf(fax, stream('a'))).toBe(digestOf(fax, stream('a')));
    expect(digestOf(fax, stream('a'))).not.toBe(digestOf(fax, stream('b')));
    expect(digestOf(fax, Buffer.from('a'))).not.toBe(digestOf(fax, Buffer.from('b')));
  });

  it('hides the middle of the numbers, and has an entry for each recipient', () => {
    const described = describeCall(post(smsPath, { to: [party(two), party('911'), { name: 'nobody' }] }));
    expect(described).toMatchObject({ extension: '~', to: '+1********12, 911, ?' });
    const batch = { from: one, text: 'x', messages: [{ to: [two] }, { to: [three] }] };
    const to = '+1********12, +1********13';
    expect(describeCall(post(smsBatchesPath, batch))).toMatchObject({ extension: '~', to });
  });
});
