import { inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { squareImage } from '../../../src/sandbox/media/square-image.ts';
import { leaveVoicemail } from '../../../src/sandbox/messages/voicemail.ts';
import { waveAudio } from '../../../src/sandbox/media/wave-audio.ts';
import { openWorld } from '../open-world.ts';
import { rejection, send, userClient } from '../request.ts';

const messages = '/account/~/extension/~/message-store';
const voicemail = { from: '+14155550100', fromName: 'Ann', durationSeconds: 3 };

interface VoiceMessage {
  readonly id: number;
  readonly attachments: readonly { readonly uri: string; readonly id: number }[];
}
async function readJson(response: Response): Promise<VoiceMessage> {
  return (await response.json()) as VoiceMessage;
}

describe('spec:VOICEMAIL-1 to VOICEMAIL-3 voicemail', () => {
  test('spec:VOICEMAIL-1, VOICEMAIL-2 arrives Inbound, Received, Unread with a recording whose id is that of the message', async () => {
    using it = openWorld();
    const { id } = it.world.inTransaction(() => leaveVoicemail(it.world, it.extension('102'), voicemail));
    const message = await readJson(await it.get('102', `${messages}/${id}`));
    expect(message).toMatchObject({
      type: 'VoiceMail',
      direction: 'Inbound',
      messageStatus: 'Received',
      readStatus: 'Unread',
      vmTranscriptionStatus: 'NotAvailable',
      from: { phoneNumber: '+14155550100', name: 'Ann' },
      to: [{ phoneNumber: '+16505550112', extensionNumber: '102', name: 'Dana Okafor' }],
      attachments: [{ id, type: 'AudioRecording', contentType: 'audio/x-wav', vmDuration: 3 }],
    });
    expect(message).not.toHaveProperty('subject');
  });

  test('spec:VOICEMAIL-2 a transcription is a second attachment', async () => {
    using it = openWorld();
    const left = { ...voicemail, transcription: 'Call me back.' };
    const { id } = it.world.inTransaction(() => leaveVoicemail(it.world, it.extension('120'), left));
    const message = await readJson(await it.get('120', `${messages}/${id}`));
    expect(message).toMatchObject({
      vmTranscriptionStatus: 'Completed',
      attachments: [{ type: 'AudioRecording' }, { type: 'AudioTranscription', contentType: 'text/plain' }],
    });
    const words = await it.get('120', message.attachments[1]?.uri ?? '');
    expect(await words.text()).toBe('Call me back.');
  });

  test('the recording is a WAV of its length', () => {
    const file = Buffer.from(waveAudio(2.5, 7));
    expect(file.subarray(0, 4).toString() + file.subarray(8, 12).toString()).toBe('RIFFWAVE');
    expect(file.readUInt32LE(4)).toBe(file.length - 8);
    expect(file.readUInt32LE(40) / file.readUInt32LE(28)).toBe(2.5);
  });
});

describe('media content', () => {
  test('spec:MEDIA-1 to MEDIA-3 addresses end in /content/{id} and give the attachment, whole and in part', async () => {
    using it = openWorld();
    const { id } = it.world.inTransaction(() => leaveVoicemail(it.world, it.extension('102'), voicemail));
    const [attachment] = (await readJson(await it.get('102', `${messages}/${id}`))).attachments;
    const uri = attachment?.uri ?? '';
    expect(uri).toMatch(new RegExp(`/content/${id}$`));
    const whole = Buffer.from(await (await it.get('102', uri)).arrayBuffer());
    expect(whole).toEqual(Buffer.from(waveAudio(3, 0)));
    const part = await it.get('102', uri, { range: 'bytes=44-143' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 44-143/${whole.length}`]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(44, 144));
    const rejected = await it.get('102', uri, { range: `bytes=${whole.length}-` });
    expect(rejected.status).toBe(416);
    expect(await rejected.json()).toMatchObject({ errorCode: 'CMN-107' });
  });

  test('spec:MEDIA-9 media: token in the query, a content disposition, a second origin', async () => {
    using it = openWorld();
    it.world.mediaBaseUrl = 'http://127.0.0.1:9999';
    const { id } = it.world.inTransaction(() => leaveVoicemail(it.world, it.extension('102'), voicemail));
    const message = await readJson(await it.get('102', `${messages}/${id}`));
    expect(message.attachments[0]?.uri).toMatch(/^http:\/\/127\.0\.0\.1:9999\/restapi\/v1\.0\//);
    const named = await it.get('102', `${messages}/${id}/content/${id}?contentDisposition=Attachment`);
    expect(named.headers.get('content-disposition')).toContain('filename="voicemail.wav"');
    const wrong = await it.get('102', `${messages}/${id}/content/${id}?contentDisposition=Sideways`);
    expect(await wrong.json()).toMatchObject({ parameterName: 'contentDisposition' });
  });

  test('the text of an SMS by token in the query; an unknown attachment is 404', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    const sms = {
      from: { phoneNumber: '+16505550112' },
      to: [{ phoneNumber: '+16505550160' }],
      text: 'héllo',
    };
    const { id } = (await user.post('/account/~/extension/~/sms', sms)).body;
    const read = await send(sandbox, 'GET', `${messages}/${id}/content/${id}?access_token=${user.token}`);
    expect([read.status, read.body['text'], read.headers.get('content-length')]).toEqual([200, 'héllo', '6']);
    expect(rejection(await user.get(`${messages}/${id}/content/1`))).toBe('404 CMN-102');
    expect(rejection(await send(sandbox, 'GET', `${messages}/${id}/content/${id}`))).toBe('401 OAU-123');
  });
});

describe('spec:SANDBOX-1, MEDIA-10 greetings and profile images exist', () => {
  test('every extension of the list has a picture at its address, for everyone in the account', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    const { records } = (await user.get('/account/~/extension')).body;
    const { uri } = (records[0] as { profileImage: { uri: string } }).profileImage;
    expect(uri).toMatch(/\/profile-image\/content\/171857100$/);
    const answer = await user.get(uri.slice(sandbox.url.length));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(rejection(await user.get('/account/~/extension/~/profile-image/content/1'))).toBe('404 CMN-102');
  });

  test('the picture is a PNG', () => {
    const file = Buffer.from(squareImage(171_857_102));
    expect(file.subarray(1, 4).toString()).toBe('PNG');
    const data = file.indexOf('IDAT') + 4;
    const length = file.readUInt32BE(data - 8);
    expect(inflateSync(file.subarray(data, data + length))).toHaveLength(32 * (1 + 32 * 3));
  });

  test('a greeting is for its owner and administrators', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const path = '/account/~/extension/171857102/greeting/171857102/content/171857102';
    const own = await (await userClient(sandbox, '102')).get(path);
    expect([own.status, own.headers.get('content-type')]).toEqual([200, 'audio/x-wav']);
    expect(rejection(await (await userClient(sandbox, '103')).get(path))).toBe('403 CMN-419');
    const wrong = path.replace('greeting/171857102', 'greeting/1');
    expect(rejection(await (await userClient(sandbox, '102')).get(wrong))).toBe('404 CMN-102');
  });
});
