import { expect, test } from 'vitest';
import { SmsBatch, SmsBatchList, SmsBatchMessageList } from '../../../src/contract/sms-batch.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { userClient } from '../request.ts';

const path = '/account/~/a2p-sms';
const from = '+16505550100';
const outside = '+14155550142';

async function open() {
  const sandbox = await startSandbox({ listen: false, dialect: 'current' });
  const admin = await userClient(sandbox, 'administrator');
  const send = async (...numbers: readonly string[]): Promise<SmsBatch> => {
    const messages = numbers.map((number) => ({ to: [number] }));
    return SmsBatch.parse((await admin.post(`${path}/batches`, { from, text: 'Hello', messages })).body);
  };
  const texts = async (query: string) =>
    SmsBatchMessageList.parse((await admin.get(`${path}/messages?${query}`)).body);
  const batches = async (query: string) =>
    SmsBatchList.parse((await admin.get(`${path}/batches?${query}`)).body);
  const close = () => sandbox.close();
  return { sandbox, admin, send, texts, batches, [Symbol.asyncDispose]: close };
}

test('spec:TEXTBATCH-5 spec:TEXTBATCH-7 a page contains only batches that match the filter', async () => {
  await using it = await open();
  const first = await it.send(outside);
  await it.sandbox.clock.advance(3000);
  const second = await it.send(outside);
  const ids = async (query: string) => {
    const { records, paging } = await it.batches(`perPage=1&${query}`);
    return [records.map(({ id }) => id), paging.nextPageToken];
  };
  expect(await ids('status=Sent')).toEqual([[first.id], undefined]);
  expect(await ids('status=Processing')).toEqual([[second.id], undefined]);
  expect(await ids('status=Processing,Sent')).toEqual([[second.id], '1']);
  for (const status of ['Completed', 'Queued'])
    expect(await ids(`status=${status}`)).toEqual([[], undefined]);
  await it.sandbox.clock.advance(2000);
  expect(await ids('status=Completed')).toEqual([[first.id], undefined]);
});

test('spec:TEXTBATCH-6 spec:TEXTBATCH-7 a page contains only texts that match the filter', async () => {
  await using it = await open();
  const numbers = Array.from({ length: 150 }, (_, index) => `+1415555${1000 + index}`);
  await it.send(...numbers);
  const all = await it.texts('');
  expect([all.records.length, all.paging.perPage]).toEqual([150, 1000]);
  const last = await it.texts(`perPage=1&phoneNumber=${encodeURIComponent('+14155551149')}`);
  expect([last.records.map(({ to }) => to), last.paging.nextPageToken]).toEqual([
    [['+14155551149']],
    undefined,
  ]);
  const own = await it.texts(`perPage=1&phoneNumber=${encodeURIComponent(from)}`);
  expect([own.records.length, own.paging.nextPageToken]).toEqual([1, '1']);
  const inbound = await it.texts('direction=Inbound');
  expect([inbound.records, inbound.paging.nextPageToken]).toEqual([[], undefined]);
});

test('spec:TEXTBATCH-5 spec:TEXTBATCH-6 spec:ERROR-11 an invalid filter is rejected by name', async () => {
  await using it = await open();
  const rejected = async (query: string) => {
    const { status, body } = await it.admin.get(`${path}/${query}`);
    return [status, body.errorCode, body['parameterName']];
  };
  expect(await rejected('batches?status=Lost')).toEqual([400, 'CMN-101', 'status']);
  expect(await rejected('messages?direction=Sideways')).toEqual([400, 'CMN-101', 'direction']);
  for (const list of ['batches', 'messages']) {
    expect(await rejected(`${list}?dateFrom=2026-02-30`)).toEqual([400, 'CMN-101', 'dateFrom']);
    expect(await rejected(`${list}?perPage=0`)).toEqual([400, 'CMN-101', 'perPage']);
    expect(
      (await it.admin.get(`${path}/${list}?dateFrom=2026-01-05&perPage=99999999999999999999`)).status,
    ).toBe(200);
  }
});

test('spec:TEXTBATCH-1 spec:ERROR-11 an error names the text that is wrong', async () => {
  await using it = await open();
  const long = 'x'.repeat(1001);
  const rejected = async (body: object) =>
    (await it.admin.post(`${path}/batches`, { from, ...body })).body['parameterName'];
  expect(await rejected({ text: long, messages: [{ to: [outside] }] })).toBe('text');
  expect(await rejected({ messages: [{ to: [outside], text: 'x' }, { to: [outside] }] })).toBe(
    'messages[1].text',
  );
  const own = [{ to: [outside], text: long }];
  expect(await rejected({ text: 'Hello', messages: own })).toBe('messages[0].text');
});

test('spec:TEXTBATCH-6 lastModifiedTime is the time of the last status', async () => {
  await using it = await open();
  const { creationTime = '' } = await it.send(outside, '+16505550190', '+16505550192');
  await it.sandbox.clock.advance(60_000);
  const { records } = await it.texts('');
  const changes = records.map(({ messageStatus, lastModifiedTime = '' }) => [
    messageStatus,
    Date.parse(lastModifiedTime) - Date.parse(creationTime),
  ]);
  expect(changes).toEqual([
    ['Delivered', 5000],
    ['SendingFailed', 2000],
    ['Sent', 2000],
  ]);
});
