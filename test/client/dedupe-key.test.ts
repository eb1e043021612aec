import { expect, it } from 'vitest';
import { buildClient, type OutcomeRecorder } from '../../src/client/index.ts';
import { fakeService, plainSettings } from '../support/fake-service.ts';

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
