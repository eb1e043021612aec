import { describe, expect, it } from 'vitest';
import {
  ApiError,
  buildClient,
  ConnectionError,
  OutcomeUnknownError,
  type OutcomeRecorder,
} from '../../src/client/index.ts';
import { fakeService, plainSettings, type FakeAnswer } from '../support/fake-service.ts';

const sms = { from: { phoneNumber: '+15550000001' }, to: [{ phoneNumber: '+15550000002' }], text: 'x' };
const message = { status: 200, body: { id: 7 } };

/** A recorder that stores the keys in memory. */
function memoryRecorder(): OutcomeRecorder & { readonly states: string[] } {
  const used = new Set<string>();
  const states: string[] = [];
  const requireUnused = (key: string | undefined): void => {
    if (key !== undefined && used.has(key)) throw new Error(`key ${key} was used`);
  };
  return {
    states,
    async before(_call, key) {
      requireUnused(key);
      if (key !== undefined) used.add(key);
      return { confirm: async () => {}, settle: async ({ state }) => void states.push(state) };
    },
    requireUnused: async (_call, key) => requireUnused(key),
  };
}

it('dedupeKey without a recorder is rejected before the text is sent', async () => {
  const { http, asked } = fakeService([message]);
  const { messages } = buildClient({ ...plainSettings, http });
  await expect(messages.sendSms(sms, { dedupeKey: 'order-1' })).rejects.toThrow(
    new TypeError('dedupeKey needs a recorder; specify the option recorder of createClient'),
  );
  expect(asked).toEqual([]);
});

it('dedupeKey is rejected for a request that may be repeated', async () => {
  const { http, asked } = fakeService([message]);
  const { messages } = buildClient({ ...plainSettings, http, recorder: memoryRecorder() });
  await expect(messages.get(7, '~', { dedupeKey: 'order-1' })).rejects.toThrow(
    new TypeError('dedupeKey is valid only for requests that send a message or place a call'),
  );
  expect(asked).toEqual([]);
});

it('the recorder of a library user prevents a second text with the same key', async () => {
  const { http, asked } = fakeService([message]);
  const recorder = memoryRecorder();
  const { messages } = buildClient({ ...plainSettings, http, recorder });
  await messages.sendSms(sms, { dedupeKey: 'order-1' });
  await expect(messages.sendSms(sms, { dedupeKey: 'order-1' })).rejects.toThrow('key order-1 was used');
  expect([asked.length, recorder.states]).toEqual([1, ['sent']]);
});

describe('a recorder that cannot record the outcome of a text', () => {
  const states: string[] = [];
  const recorder: OutcomeRecorder = {
    ...memoryRecorder(),
    before: async () => ({
      confirm: async () => {},
      settle: async ({ state }) => {
        states.push(state);
        throw new Error('no space left on device');
      },
    }),
  };
  const send = (answer: FakeAnswer): Promise<unknown> => {
    states.length = 0;
    const { http } = fakeService([answer]);
    return buildClient({ ...plainSettings, http, recorder }).messages.sendSms(sms);
  };

  it('does not hide the reply, and gets no second outcome', async () => {
    expect(await send(message)).toMatchObject(message.body);
    expect(states).toEqual(['sent']);
  });

  it.each([
    ['a rejection', ApiError, 'failed', { status: 400, body: {} }],
    [
      'an unknown outcome',
      OutcomeUnknownError,
      'unknown',
      new ConnectionError('ECONNRESET', 'unknown', 'https://service.example', undefined),
    ],
  ] as const)('does not hide %s', async (_, kind, state, answer) => {
    await expect(send(answer)).rejects.toThrow(kind);
    expect(states).toEqual([state]);
  });
});
