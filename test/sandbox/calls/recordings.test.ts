import { expect, test } from 'vitest';
import { rejection, send, userClient } from '../request.ts';
import { quietSandbox } from './office.ts';

const ringout = '/account/~/extension/~/ringout';
const log = '/account/~/extension/~/call-log';

/** 102 talks for a minute and a half with the number that is reserved for it. */
async function recordedCall() {
  const sandbox = await quietSandbox();
  const user = await userClient(sandbox, '102');
  await user.post(ringout, { to: { phoneNumber: '+12025550110' } });
  await user.post(ringout, { to: { phoneNumber: '+14155550199' } });
  await sandbox.clock.advance(120_000);
  const { records } = (await user.get(`${log}?withRecording=true`)).body;
  const recording = records[0]?.['recording'] as { id: string; uri: string; contentUri: string };
  return { sandbox, user, records, recording, path: (uri: string) => uri.replace(sandbox.url, '') };
}

test('spec:MEDIA-6, MEDIA-5 calls of 30 seconds and more are recorded; the filters find them', async () => {
  const { sandbox, user, records, recording, path } = await recordedCall();
  expect(records).toHaveLength(1);
  const count = async (query: string) => (await user.get(`${log}?${query}`)).body.records.length;
  expect(await count('withRecording=false')).toBe(2);
  expect(await count('recordingType=All')).toBe(1);
  expect(await count('recordingType=Automatic')).toBe(1);
  expect(await count('recordingType=OnDemand')).toBe(0);
  expect((await user.get(path(recording.uri))).body).toEqual({
    id: recording.id,
    uri: recording.uri,
    contentUri: recording.contentUri,
    contentType: 'audio/x-wav',
    duration: 90,
  });
  await sandbox.close();
});

test('spec:MEDIA-1 to MEDIA-3, CALL-8 the address ends in /content/{id}, and the content can be read in ranges', async () => {
  const { sandbox, user, recording, path } = await recordedCall();
  expect(recording.contentUri).toMatch(/\/content\/\d+$/);
  const url = path(recording.contentUri);
  const whole = await user.get(url);
  expect([whole.status, whole.headers.get('content-length')]).toEqual([200, String(44 + 90 * 8000)]);
  const headers = { range: 'bytes=0-3' };
  const part = await send(sandbox, 'GET', url, { token: user.token, headers });
  expect([part.status, part.body['text']]).toEqual([206, 'RIFF']);
  await sandbox.close();
});

test('spec:SANDBOX-12 ReadCallRecording guards recordings, and only those who took part and administrators hear them', async () => {
  const { sandbox, recording, path } = await recordedCall();
  const reader = await userClient(sandbox, '102', 'sandbox-reader');
  expect(rejection(await reader.get(path(recording.contentUri)))).toBe('403 CMN-401');
  expect(rejection(await (await userClient(sandbox, '103')).get(path(recording.uri)))).toBe('403 CMN-408');
  expect((await (await userClient(sandbox, 'administrator')).get(path(recording.uri))).status).toBe(200);
  await sandbox.close();
});

test('spec:MEDIA-6 recordings are stored for 90 days; unknown ones are not found', async () => {
  const { sandbox, recording, path } = await recordedCall();
  await sandbox.clock.advance(91 * 86_400_000);
  const user = await userClient(sandbox, '102');
  expect(rejection(await user.get(path(recording.uri)))).toBe('404 CMN-102');
  const [record] = (await user.get(`${log}?dateFrom=2026-01-01&extensionNumber=102`)).body.records;
  expect(record).not.toHaveProperty('recording');
  expect(rejection(await user.get('/account/~/recording/1'))).toBe('404 CMN-102');
  await sandbox.close();
});
