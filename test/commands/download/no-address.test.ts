import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { openOffice } from '../office.ts';

/** Answers requests of one path with this body, and all others as the sandbox does. */
const answering =
  (path: string, body: object) =>
  (send: HttpSend): HttpSend =>
  (request) =>
    request.url.pathname.endsWith(path) ? Promise.resolve(fakeReply({ status: 200, body })) : send(request);

const noAddress = 'the server replied without the address of the content';

it.each([
  [
    '--recordings',
    '/account/~/call-log',
    { navigation: {}, records: [9, 10].map((id) => ({ id, recording: { id } })) },
    2,
  ],
  [
    '--voicemail',
    '/message-store',
    { navigation: {}, records: [{ id: 9, type: 'VoiceMail', attachments: [{}] }] },
    1,
  ],
  ['--recording 9', '/recording/9', { id: 9 }, 1],
  ['9', '/message-store/9', { id: 9, attachments: [{ uri: '' }] }, 1],
])('download %s reports each item without an address, and requests nothing for it', async (...scene) => {
  const [selection, path, body, count] = scene;
  const office = await openOffice(undefined, answering(path, body));
  const dir = temporaryFolder();
  office.requests();
  const { exit, stdout } = await office.run(`download ${selection} --dir ${dir} -o json`);
  const rows = JSON.parse(stdout) as readonly { readonly status: string; readonly problem: string }[];
  expect(rows.map(({ status, problem }) => [status, problem])).toEqual(
    Array.from({ length: count }, () => ['failed', noAddress]),
  );
  expect(exit).toBe(1);
  expect(readdirSync(dir).filter((name) => name !== 'SHA256SUMS')).toEqual([]);
  expect(office.requests()).toHaveLength(1);
});

it.each(['https://a b/', 'http://[', '//a b/', 'ftp://media.example/x'])(
  'download rejects the address %s before any request',
  async (address) => {
    const asGiven = await openOffice();
    const given = await asGiven.run(['download', '--uri', address, '--dir', temporaryFolder()]);
    expect(given).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining(`error: "${address}" is not a valid address`) as string,
    });
    const message = { id: 9, attachments: [{ id: 9, uri: address }] };
    const sent = await openOffice(undefined, answering('/message-store/9', message));
    const { exit, stderr } = await sent.run(`download 9 --dir ${temporaryFolder()}`);
    expect([exit, stderr]).toEqual([1, expect.stringContaining('an invalid address of the content')]);
    expect(stderr).toContain('the service sent this address');
    expect(stderr).not.toContain('retry later');
    expect([asGiven.requests(), sent.requests()].map(({ length }) => length)).toEqual([0, 1]);
  },
);

it.each([
  'http://intranet.example/1?key=secret',
  // The protocol of the service is http if it is on this machine.
  '//intranet.example/1?key=secret',
])('download requests nothing over plain http from another machine: %s', async (address) => {
  const asGiven = await openOffice();
  asGiven.requests();
  const given = await asGiven.run(['download', '--uri', address, '--dir', temporaryFolder()]);
  const reason = 'ucctl requests content only over https, or over http from this machine';
  expect(given).toMatchObject({ exit: 2, stderr: expect.stringContaining(reason) as string });
  expect(asGiven.requests()).toEqual([]);
  const message = { id: 9, attachments: [{ id: 9, uri: address, contentType: 'audio/x-wav' }] };
  const sent = await openOffice(undefined, answering('/message-store/9', message));
  sent.requests();
  const { exit, stderr } = await sent.run(`download 9 --dir ${temporaryFolder()}`);
  expect([exit, stderr]).toEqual([1, expect.stringContaining('http://intranet.example')]);
  expect(stderr).not.toContain('secret');
  expect(sent.requests()).toEqual(['GET /account/~/extension/~/message-store/9']);
});
