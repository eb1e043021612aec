import { expect, it } from 'vitest';
import { buildClient, type Client } from '../../src/client/index.ts';
import { fakeService, fakeTiming, plainSettings } from '../support/fake-service.ts';

const reads: readonly (readonly [string, (client: Client) => Promise<readonly unknown[]>])[] = [
  ['the availability in a queue', (client) => client.callQueues.availability('1')],
  ['the availability of a member', (client) => client.callQueues.availabilityOf('1')],
  ['the features of an extension', (client) => client.extensions.features('1', ['a'])],
  ['the files of a report', (client) => client.messageReports.files('1')],
];

function clientOf(body: unknown): Client {
  const { http } = fakeService([{ status: 200, body }]);
  return buildClient({ ...plainSettings, http, timing: fakeTiming() });
}

it.each(reads)('a reply without records, which are optional, is an empty list: %s', async (_, read) => {
  expect(await read(clientOf({}))).toEqual([]);
  expect(await read(clientOf({ uri: 'https://service.example/a' }))).toEqual([]);
});

it.each(reads)('another object or an error is no such reply: %s', async (_, read) => {
  for (const body of [{ login: 'x' }, { errorCode: 'CMN-102', message: 'not found' }, { records: {} }, []])
    await expect(read(clientOf(body))).rejects.toThrow('a body that is not a list of records');
});
