import { describe, expect, it } from 'vitest';
import { batchWork, keyOf, textWork, type TextPayload } from '../../../src/features/outgoing/text-run.ts';
import type { JournalItem } from '../../../src/features/bulk/index.ts';
import { CommandError, KeyUsedError, OutcomeResolvedError } from '../../../src/errors/command.ts';
import { ApiError, ConnectionError } from '../../../src/errors/service.ts';

const day = 86_400_000;
const [from, other] = ['+16505550110', '+16505550111'];
const itemOf = (seq: number, payload: Partial<TextPayload> = {}): JournalItem<TextPayload> => ({
  seq,
  action: 'send',
  subject: '',
  payload: { from, to: `+1650555011${seq}`, text: 'hi', rows: [seq], ...payload },
  status: 'planned',
  code: undefined,
  message: undefined,
  requestId: undefined,
  attempts: 0,
  time: undefined,
});
const rejectedWith = (errorCode: string) =>
  new ApiError({ status: 400, errorCode, message: 'no', request: { method: 'POST', path: '/x' } });

/** A client whose sends have one result. */
const keyUsed = (state: 'sent' | 'unknown') => new KeyUsedError('used', { outcome: 7, state });

function clientOf(result: object | Error) {
  const sends: unknown[][] = [];
  const reply = (...parts: unknown[]) => {
    sends.push(parts);
    const { onReply } = parts[1] as { readonly onReply?: (facts: object) => void };
    if (result instanceof Error) return Promise.reject(result);
    onReply?.({ requestId: 'r-1' });
    return Promise.resolve(result);
  };
  return { sends, api: { messages: { sendSms: reply }, smsBatches: { create: reply } } as never };
}

describe('a text of a list', () => {
  it('is sent with a key of its own, which is valid since a day before the run', async () => {
    const { api, sends } = clientOf({ id: '9', messageStatus: 'Queued', to: [] });
    expect(await textWork(api, 'key', 5000).send([itemOf(4)])).toEqual({
      requestId: 'r-1',
      resultId: '9',
      rejected: new Map(),
    });
    expect(sends).toMatchObject([
      [
        { from: { phoneNumber: from }, to: [{ phoneNumber: '+16505550114' }], text: 'hi' },
        { dedupeKey: expect.stringMatching(/^key:[0-9a-f]{24}$/) as string, dedupeSince: 5000 - day },
      ],
    ]);
    const keys = [{}, { text: 'ho' }, { to: other }].map((more) =>
      keyOf('key', itemOf(4, more).payload, 5000),
    );
    expect(new Set(keys.map(({ dedupeKey }) => dedupeKey)).size).toBe(3);
    expect(keyOf(undefined, itemOf(4).payload, 5000)).toEqual({});
  });

  it('is rejected if the service accepted it, but could not send it', async () => {
    const send = (members: object) =>
      textWork(clientOf({ id: '9', to: [], ...members }).api, undefined, 0).send([itemOf(4)]);
    const { rejected } = await send({ messageStatus: 'SendingFailed', deliveryErrorCode: 'SMS-UP-410' });
    expect(rejected?.get(4)).toMatchObject({ code: 'SMS-UP-410' });
    const unexplained = await send({ messageStatus: 'DeliveryFailed' });
    expect(unexplained.rejected?.get(4)).toMatchObject({ code: 'DeliveryFailed' });
    const recipient = { phoneNumber: '+16505550114', messageStatus: 'SendingFailed' };
    const missed = await send({ messageStatus: 'Queued', to: [recipient] });
    expect(missed.rejected?.get(4)).toMatchObject({ code: 'SendingFailed' });
  });

  it('is a duplicate only if it was certainly sent with its key', async () => {
    const work = (wasSent: boolean) =>
      textWork(clientOf(keyUsed(wasSent ? 'sent' : 'unknown')).api, 'key', 0);
    expect(await work(true).send([itemOf(4)])).toEqual({ code: 'duplicate', message: 'used' });
    await expect(work(false).send([itemOf(4)])).rejects.toThrow('used');
  });

  it.each([
    [rejectedWith('MSG-314'), 'rejected'],
    [rejectedWith('CMN-101'), 'rejected'],
    // The error may concern all texts, so the run stops.
    [rejectedWith('CMN-102'), undefined],
    [keyUsed('unknown'), 'rejected'],
    [new OutcomeResolvedError('resolved'), 'unknown'],
    [new ConnectionError('ECONNRESET', 'unknown', 'https://x.example', undefined), undefined],
    [new CommandError('policy', 9, 'blocked'), undefined],
  ])('with the error %s is %s', (error, expected) => {
    expect(textWork(clientOf({}).api, 'key', 0).classify?.(error)).toBe(expected);
  });
});

describe('a batch of texts', () => {
  it('has the texts of one sender, and the reasons of the rejected texts', async () => {
    const rejected = [{ index: 1, errorCode: 'MSG-1', description: 'bad number' }, { index: 2 }];
    const { api, sends } = clientOf({ id: 'b1', rejected });
    const work = batchWork(api);
    const items = [itemOf(4), itemOf(5), itemOf(6)];
    expect(await work.send(items)).toEqual({
      requestId: 'r-1',
      message: 'batch b1',
      rejected: new Map([
        [5, { code: 'MSG-1', message: 'bad number' }],
        [6, { code: 'rejected', message: 'the service rejected the text without a reason' }],
      ]),
    });
    expect(sends[0]?.[0]).toMatchObject({ from, messages: [{ to: ['+16505550114'] }, {}, {}] });
    expect(work.groupOf?.(itemOf(4))).not.toBe(work.groupOf?.(itemOf(5, { from: other })));
    expect([work.isShared, work.observe]).toEqual([true, undefined]);
    expect(work.classify?.(new OutcomeResolvedError('resolved'))).toBe('unknown');
    expect(work.classify?.(rejectedWith('MSG-314'))).toBeUndefined();
  });
});
