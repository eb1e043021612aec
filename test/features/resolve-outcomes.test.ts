import { describe, expect, it } from 'vitest';
import type { Client } from '../../src/client/index.ts';
import type { Message } from '../../src/contract/message.ts';
import type { SmsBatch } from '../../src/contract/sms-batch.ts';
import { batchDigest, textDigest } from '../../src/features/outcome-journal/describe-call.ts';
import { hintText } from '../../src/errors/hint.ts';
import { resolveOutcomes, type Outcome } from '../../src/features/outcome-journal/index.ts';

const start = Date.UTC(2026, 0, 5, 9);
const second = 1000;
const minute = 60 * second;
const day = 1440 * minute;
const [one, two, three] = ['+16505550110', '+16505550112', '+16505550199'];
const party = (phoneNumber: string) => ({ phoneNumber });

const unknown = (more: Partial<Outcome> = {}): Outcome => ({
  id: 1,
  kind: 'sms',
  state: 'unknown',
  profile: 'default',
  origin: 'https://service.example',
  owner: 'extension 1',
  extension: '~',
  digest: textDigest(one, [two], 'hi'),
  to: '+1********12',
  startedAt: start,
  endedAt: start + second,
  serviceId: undefined,
  dedupeKey: undefined,
  ...more,
});

/** A message of the mailbox, created half a second after the start of the request. */
const sent = (more: Partial<Message> & { readonly after?: number } = {}): Message => {
  const { after = 500, ...members } = more;
  return {
    id: '900',
    type: 'SMS',
    direction: 'Outbound',
    from: party(one),
    to: [party(two)],
    subject: 'hi',
    creationTime: new Date(start + after).toISOString(),
    ...members,
  } as Message;
};

interface Search {
  readonly messages?: readonly Message[];
  readonly batches?: readonly SmsBatch[];
  /** The texts of each batch, as recipient and text. */
  readonly texts?: Readonly<Record<string, readonly (readonly [string, string])[]>>;
  /** Milliseconds by which the clock of the service is ahead; null if it does not send its time. */
  readonly ahead?: number | null;
  readonly all?: readonly Outcome[];
  readonly owners?: readonly string[];
  readonly isSoleSender?: boolean;
  readonly now?: number;
  readonly isChanged?: boolean;
}

/** Resolves outcomes with a mailbox. Returns `sent 900`, or the result and the reason. */
async function resolve(outcomes: readonly Outcome[], search: Search = {}) {
  const { messages = [], batches = [], texts = {}, ahead = 0, now = start + minute } = search;
  const filters: unknown[] = [];
  const recorded: unknown[] = [];
  async function* listed<T>(
    items: readonly T[],
    filter: unknown,
    { onReply }: { readonly onReply?: (facts: object) => void },
  ) {
    filters.push(filter);
    // The Date header is rounded down, so on average it is half a second old.
    const date = ahead === null ? undefined : new Date(now + ahead - 500).toUTCString();
    onReply?.({ date, receivedAt: now });
    yield* items;
  }
  const api = {
    messages: { list: (_extension: string, filter: unknown, more: object) => listed(messages, filter, more) },
    smsBatches: {
      list: (filter: unknown, more: object) => listed(batches, filter, more),
      messages: ({ batchId = '' }) =>
        listed(texts[batchId]?.map(([to, text]) => ({ to: [to], text })) ?? [], {}, {}),
    },
  } as unknown as Client;
  const resolutions = await resolveOutcomes({
    api,
    journal: {
      resolve: async (seen, ending) => {
        recorded.push([seen.id, ending]);
        return search.isChanged !== true;
      },
    },
    unknown: outcomes,
    all: [...outcomes, ...(search.all ?? [])],
    owners: search.owners ?? ['extension 1'],
    isSoleSender: search.isSoleSender ?? true,
    now: () => now,
  });
  const results = resolutions.map(({ outcome, result, serviceId, reason }) =>
    [outcome.id, result, serviceId ?? JSON.stringify(reason)].filter((part) => part !== undefined).join(' '),
  );
  const reasons = resolutions.map(({ reason }) => reason && hintText(reason));
  return { results, reasons, filters, recorded };
}

describe('an unknown outcome is sent', () => {
  it('if the mailbox has its message, and is recorded with the ID', async () => {
    const { results, recorded, filters } = await resolve([unknown()], { messages: [sent()] });
    expect(results).toEqual(['1 sent 900']);
    expect(recorded).toEqual([[1, { state: 'sent', serviceId: '900' }]]);
    expect(filters).toEqual([
      {
        direction: ['Outbound'],
        dateFrom: new Date(start - day).toISOString(),
        availability: ['Alive', 'Deleted', 'Purged'],
      },
    ]);
  });

  it('by the clock of the service', async () => {
    const messages = [sent({ after: 10 * minute + 500 })];
    expect((await resolve([unknown()], { messages, ahead: 10 * minute })).results).toEqual(['1 sent 900']);
  });

  it('if the reply of a pager message lists its sender, too', async () => {
    const extension = (extensionNumber: string) => ({ extensionNumber });
    const pager = unknown({ kind: 'pager', digest: textDigest('101', ['102'], 'hi'), to: '102' });
    const to = [extension('102'), extension('101')];
    const messages = [sent({ type: 'Pager', from: extension('101'), to })];
    expect((await resolve([pager], { messages })).results).toEqual(['1 sent 900']);
  });
});

it('the oldest message belongs to the oldest of several unknown outcomes', async () => {
  const messages = [sent({ id: '901', after: 700 }), sent()];
  const outcomes = [unknown(), unknown({ id: 2, startedAt: start + 100 })];
  expect((await resolve(outcomes, { messages })).results).toEqual(['1 sent 900', '2 sent 901']);
});

describe('an unknown outcome is not sent', () => {
  it.each<[string, Search]>([
    ['without a message', {}],
    ['if another machine may send texts, without a message', { isSoleSender: false }],
    [
      'if the message belongs to another outcome',
      { messages: [sent()], all: [unknown({ id: 2, state: 'sent', serviceId: '900' })] },
    ],
    [
      'if the message belongs to a request whose reply had no ID',
      { messages: [sent()], all: [unknown({ id: 2, state: 'sent' })] },
    ],
    ['if the message has another recipient', { messages: [sent({ to: [party(three)] })] }],
    ['if the message has another type', { messages: [sent({ type: 'Pager', subject: undefined })] }],
    ['if a text without recipients is from another time', { messages: [sent({ to: [], after: -minute })] }],
    [
      'if a full mailbox has an older message',
      {
        messages: Array.from({ length: 2500 }, (_, index) =>
          sent({
            id: String(index),
            subject: 'x',
            to: [party(three)],
            after: index === 7 ? -minute : minute,
          }),
        ),
      },
    ],
  ])('%s', async (_name, search) => {
    const { results, recorded } = await resolve([unknown()], search);
    expect([results, recorded]).toEqual([['1 not-sent'], [[1, { state: 'not-sent', serviceId: undefined }]]]);
  });

  it('if the only message belongs to an older unknown outcome', async () => {
    const outcomes = [unknown({ id: 2, startedAt: start + 100 }), unknown()];
    const { results, filters } = await resolve(outcomes, { messages: [sent()] });
    expect(results).toEqual(['1 sent 900', '2 not-sent']);
    expect(filters).toMatchObject([{ dateFrom: new Date(start - day).toISOString() }]);
  });
});

describe('an outcome stays unknown', () => {
  const similar = (more: Parameters<typeof sent>[0]): Search => ({ messages: [sent(more)] });
  it.each<[string, Partial<Outcome>, Search, string]>([
    [
      'if another machine may have sent the message',
      {},
      { messages: [sent()], isSoleSender: false },
      'same text',
    ],
    ['while its request is under way', { state: 'sending' }, {}, 'has the state sending'],
    ['if its user is not known', { owner: undefined }, {}, 'which user'],
    ['if another user sent it', { owner: 'extension 2' }, {}, 'sign in as that user'],
    ['if its content could not be read', { digest: '' }, {}, 'could not read the content'],
    ['for a fax', { kind: 'fax' }, {}, 'sent faxes'],
    [
      'if it starts in the future',
      { startedAt: start + 2 * minute, endedAt: undefined },
      {},
      'start time in the future',
    ],
    ['just after its end', { endedAt: start + minute - 5 * second }, {}, 'too early to be sure'],
    ['after the retention', {}, { now: start + 5 * day }, 'so old'],
    ['if the service does not send its time', {}, { ahead: null }, 'contain no time'],
    ['if this clock is wrong by more than a day', {}, { ahead: -2 * day }, 'wrong by more than a day'],
    [
      'if the mailbox is nearly full',
      {},
      {
        messages: Array.from({ length: 2500 }, (_, id) =>
          sent({ id: String(id), subject: 'x', to: [party(three)], after: minute }),
        ),
      },
      'nearly full',
    ],
    ['if the message was created long after', {}, similar({ after: 20 * second }), 's after this request'],
    [
      'if the message was created while the request hung',
      { endedAt: start + 30 * second },
      similar({ after: 5 * second }),
      's after this request',
    ],
    ['if the message was created long before', {}, similar({ after: -minute }), 's before this request'],
    ['if the message has no time', {}, similar({ creationTime: undefined }), 'may be the message'],
    [
      'if a message lost its text',
      {},
      similar({ subject: undefined, to: [party(three)] }),
      'may be the message',
    ],
    ['if a text without content has no time', {}, similar({ creationTime: undefined, to: [] }), 'may be'],
    ['if a message lost its recipients', {}, similar({ to: [] }), 'may be the message'],
    ['if a message lost a number', {}, similar({ subject: 'x', to: [{}] }), 'may be the message'],
    [
      'if a message has the number in another form',
      {},
      similar({ subject: 'x', to: [party('(650) 555-0112')] }),
      'may be',
    ],
    [
      'if a second message has the same content',
      {},
      { messages: [sent(), sent({ id: '901', after: 20 * minute })] },
      'messages 900 and 901',
    ],
  ])('%s', async (_name, outcome, search, reason) => {
    const { results, recorded } = await resolve([unknown(outcome)], search);
    expect(results).toEqual([expect.stringMatching(/^1 undecided /)]);
    expect(results[0]).toContain(reason);
    expect(recorded).toEqual([]);
    // A request under way ends without the user. For some outcomes, a later search may succeed.
    const isRepeated = /sign in|too early/.test(reason);
    const next = isRepeated ? '"outcome resolve 1"' : '"outcome resolve 1 --as sent"';
    expect(results[0]).toContain(outcome.state === 'sending' ? reason : next);
  });

  it.each<[string, Partial<Outcome>, number, string]>([
    [
      'before the start',
      {},
      -601,
      'created the message about 0.7 s before this request started, and a match is created at most 0.6 s before the start;',
    ],
    [
      'after the end',
      { endedAt: start },
      1300,
      'created the message about 1.3 s after this request ended, and a match is created at most 0.6 s after the end;',
    ],
    [
      'long after the start',
      { endedAt: start + 10 * second },
      5 * second,
      'created the message about 5 s after this request started, and a match is created at most 2 s after the start;',
    ],
    [
      'long after the start of a request without an end',
      { endedAt: undefined },
      2001,
      'created the message about 2.1 s after this request started, and a match is created at most 2 s after the start;',
    ],
  ])('and the reason names the time limit of a match created %s', async (_name, outcome, after, reason) => {
    const messages = [sent({ after })];
    const texts = [[two, 'hi']] as const;
    const batches = [
      { id: 'b1', from: one, creationTime: new Date(start + after).toISOString() },
    ] as SmsBatch[];
    const ofBatch = unknown({ ...outcome, id: 2, digest: batchDigest(one, texts) });
    // The clocks are equal: the Date header of this time is half a second old.
    const search = { messages, batches, texts: { b1: texts }, now: start + minute + 500 };
    const { reasons } = await resolve([unknown(outcome), ofBatch], search);
    expect(reasons[0]).toContain(reason);
    expect(reasons[1]).toContain(reason.replace('message', 'batch'));
    // The option does not help, so the output does not suggest it.
    const others = await resolve([unknown(outcome), ofBatch], { ...search, isSoleSender: false });
    expect(others.reasons[0]).toContain(reason);
    expect(others.reasons[1]).toContain(reason.replace('message', 'batch'));
  });

  it('and the reason names another request that may have sent the batch', async () => {
    const texts = [[two, 'hi']] as const;
    const ofBatch = unknown({ digest: batchDigest(one, texts) });
    const batches = [
      { id: 'b1', from: one, creationTime: new Date(start + 500).toISOString() },
    ] as SmsBatch[];
    const { reasons } = await resolve([ofBatch], {
      batches,
      texts: { b1: texts },
      all: [{ ...ofBatch, id: 2, state: 'sending' }],
    });
    expect(reasons[0]).toContain(
      'batch b1 may belong to another request of this machine with the same texts',
    );
  });

  it('if another process has changed it during the search', async () => {
    const { results } = await resolve([unknown()], { isChanged: true });
    expect(results).toEqual([expect.stringMatching(/^1 undecided .*another process changed/)]);
  });
});

describe('an unknown outcome of a batch', () => {
  const texts = { b1: [[two, 'hi']], b2: [[two, 'hi']] } as const;
  const batch = (id: string, after = 500) =>
    ({ id, from: one, creationTime: new Date(start + after).toISOString() }) as SmsBatch;
  const ofBatch = (more: Partial<Outcome> = {}) =>
    unknown({ digest: batchDigest(one, [[two, 'hi']]), ...more });

  it('is sent if the service lists one batch with its texts', async () => {
    const { results, recorded } = await resolve([ofBatch()], { batches: [batch('b1')], texts });
    expect([results, recorded]).toEqual([['1 sent b1'], [[1, { state: 'sent', serviceId: 'b1' }]]]);
  });

  it.each<[string, Search, string]>([
    ['if no batch is listed', {}, 'does not list'],
    [
      'if another machine may have sent the batch',
      { batches: [batch('b1')], isSoleSender: false },
      'sole-sender',
    ],
    ['if two batches have its texts', { batches: [batch('b1'), batch('b2', 5 * minute)] }, 'batch b1, b2'],
    [
      'if the batch has other texts',
      { batches: [batch('b1')], texts: { b1: [[two, 'ho']] } },
      'does not list',
    ],
    [
      'if the batch was created later',
      { batches: [batch('b1', 20 * second)] },
      'another machine may have sent',
    ],
    ['if the batch is of another hour', { batches: [batch('b1', 60 * minute)] }, 'does not list'],
    ['if the service does not send its time', { batches: [batch('b1')], ahead: null }, 'contain no time'],
    [
      'if the batch belongs to another outcome',
      { batches: [batch('b1')], all: [ofBatch({ id: 2, state: 'sent', serviceId: 'b1' })] },
      'does not list',
    ],
    [
      'if a request with the same texts was under way, too',
      { batches: [batch('b1')], all: [ofBatch({ id: 2, state: 'sending' })] },
      'batch b1',
    ],
  ])('stays unknown %s', async (_name, search, reason) => {
    const { results, recorded } = await resolve([ofBatch()], { texts, ...search });
    expect(results).toEqual([expect.stringMatching(/^1 undecided /)]);
    expect(results[0]).toContain(reason);
    expect(recorded).toEqual([]);
  });
});

it.each<[string, Partial<Outcome>, Search, string]>([
  ['a fax', { kind: 'fax' }, {}, 'check the sent faxes: ucctl message list --type Fax; '],
  ['a call', { kind: 'ringout' }, {}, 'check the call log: ucctl calllog list; '],
  ['a chat post', { kind: 'chat-post' }, {}, 'check the chat group; '],
  ['a similar text', {}, { messages: [sent({ to: [] })] }, 'may be the message'],
  ['a text that another machine may have sent', {}, { messages: [sent()], isSoleSender: false }, 'otherwise'],
  ['twin texts', {}, { messages: [sent(), sent({ id: '901', after: 20 * minute })] }, 'messages 900 and 901'],
  ['a text of an unknown user', { owner: undefined }, {}, 'which user'],
  ['a batch', { digest: batchDigest(one, [[two, 'hi']]) }, {}, 'does not list'],
])(
  'the reason for %s names where to look, and the number of the outcome',
  async (_name, outcome, search, where) => {
    const { reasons } = await resolve([unknown({ ...outcome, id: 12 })], search);
    expect(reasons).toEqual([expect.stringContaining(where)]);
    expect(reasons[0]).toContain('resolve the outcome: ucctl outcome resolve 12 --as sent, or --as not-sent');
  },
);
