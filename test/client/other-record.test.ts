import { describe, expect, it } from 'vitest';
import { buildClient, type Client, ReplyError } from '../../src/client/index.ts';
import { fakeService, fakeTiming, plainSettings } from '../support/fake-service.ts';

const status = { callStatus: 'Success', callerStatus: 'Success', calleeStatus: 'Success' };

type Read = readonly [string, (api: Client) => Promise<unknown>, Readonly<Record<string, unknown>>];

/** Reads of the record 7, with the other members that each record needs. */
const reads: readonly Read[] = [
  ['message', (api) => api.messages.get('7'), {}],
  ['RingOut call', (api) => api.ringOuts.get('7'), { status }],
  ['call log record', (api) => api.callLog.get('account', ['7']), {}],
  ['recording', (api) => api.recordings.get('7'), {}],
  ['message report', (api) => api.messageReports.get('7'), { status: 'Completed' }],
  ['batch of texts', (api) => api.smsBatches.get('7'), {}],
];

function client(body: object): Client {
  const { http } = fakeService([{ status: 200, body }]);
  return buildClient({ ...plainSettings, http, timing: fakeTiming() });
}

describe('a reply with another record than the requested one', () => {
  it.each(reads)('%s: is an error', async (_what, read, members) => {
    const failed = read(client({ id: '5', ...members }));
    await expect(failed).rejects.toThrow(ReplyError);
    await expect(failed).rejects.toThrow('another record (5)');
  });

  it.each(reads)('%s: the ID may be a number or a text', async (_what, read, members) => {
    for (const id of [7, '7']) await expect(read(client({ id, ...members }))).resolves.toBeDefined();
  });
});
