import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { MessageReport, MessageReportArchive } from '../../../src/contract/index.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { userClient } from '../request.ts';

const path = '/account/~/message-store-report';

test('spec:REPORT-1 spec:REPORT-2 spec:REPORT-3 spec:REPORT-4 a report is completed, and has the messages of each mailbox', async () => {
  const sandbox = await startSandbox({ listen: false, dialect: 'current' });
  await sandbox.control('POST', '/triggers/voicemail', { to: '102' });
  await sandbox.control('POST', '/triggers/voicemail', { to: '103' });
  const admin = await userClient(sandbox, 'administrator');
  const started = await admin.post(path, { messageTypes: ['VoiceMail'] });
  const report = MessageReport.parse(started.body);
  expect([started.status, report.status, report.messageTypes]).toEqual([202, 'Accepted', ['VoiceMail']]);
  const files = `${path}/${report.id}/archive`;
  expect((await admin.get(files)).status).toBe(404);
  await sandbox.clock.advance(600);
  expect((await admin.get(`${path}/${report.id}`)).body['status']).toBe('InProgress');
  await sandbox.clock.advance(1000);
  expect((await admin.get(`${path}/${report.id}`)).body['status']).toBe('Completed');
  const { records } = MessageReportArchive.parse((await admin.get(files)).body);
  expect(records).toHaveLength(2);
  const contents = await Promise.all(
    records.map(async ({ uri, size }) => {
      const { pathname } = new URL(uri);
      const reply = await sandbox.fetch(
        new Request(sandbox.url + pathname, { headers: { authorization: `Bearer ${admin.token}` } }),
      );
      expect(Number(reply.headers.get('content-length'))).toBe(size);
      const lines = gunzipSync(await reply.arrayBuffer())
        .toString()
        .trim()
        .split('\n');
      return lines.map((line) => {
        const { type, extensionId } = JSON.parse(line) as Readonly<Record<string, unknown>>;
        return [type, Number(extensionId) % 1000];
      });
    }),
  );
  expect(contents).toEqual([[['VoiceMail', 102]], [['VoiceMail', 103]]]);
  await sandbox.close();
});

test('spec:REPORT-1 the period limits a report, and one that ends before it begins is rejected', async () => {
  const sandbox = await startSandbox({ listen: false, dialect: 'current' });
  await sandbox.control('POST', '/triggers/voicemail', { to: '102' });
  const admin = await userClient(sandbox, 'administrator');
  const past = { dateFrom: '2000-01-01T00:00:00Z', dateTo: '2000-02-01T00:00:00Z' };
  const { body } = await admin.post(path, past);
  await sandbox.clock.advance(2000);
  expect((await admin.get(`${path}/${body.id}/archive`)).body.records).toEqual([]);
  const wrong = await admin.post(path, { dateFrom: past.dateTo, dateTo: past.dateFrom });
  expect([wrong.status, wrong.body.errors[0]?.errorCode]).toEqual([400, 'CMN-101']);
  await sandbox.close();
});
