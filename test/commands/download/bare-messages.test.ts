import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

type Members = Readonly<Record<string, unknown>>;

/** The small office, whose messages lack these members, as do their attachments. */
async function open(missing: readonly string[], missingOfAttachment: readonly string[]) {
  const without = (record: Members, names: readonly string[]): Members =>
    Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
  const around =
    (send: HttpSend): HttpSend =>
    async (request) => {
      const reply = await send(request);
      if (!/\/message-store\/\d+$/.test(request.url.pathname)) return reply;
      const message = JSON.parse(await reply.text()) as { readonly attachments: readonly Members[] };
      const attachments = message.attachments.map((one) => without(one, missingOfAttachment));
      return fakeReply({ status: 200, body: { ...without({ ...message }, missing), attachments } });
    };
  const office = await openOffice('administrator', around);
  await office.sandbox.control('POST', '/triggers/voicemail', { to: '102', seconds: 3 });
  const list = await office.run('voicemail list -L 1 --extension 102 -o json');
  const [first] = JSON.parse(list.stdout) as { readonly id: number }[];
  return { office, id: String(first?.id) };
}

it.each([
  ['type', ['type'], [], 'message'],
  ['address of the attachment', [], ['uri'], 'voicemail'],
])('downloads from a message without %s', async (_, missing, missingOfAttachment, kind) => {
  const { office, id } = await open(missing, missingOfAttachment);
  const dir = temporaryFolder();
  const { exit, stdout, stderr } = await office.run(`download ${id} --extension 102 --dir ${dir} -o json`);
  expect({ exit, stderr }).toMatchObject({ exit: 0 });
  expect(JSON.parse(stdout)).toMatchObject([{ kind, id, status: 'downloaded' }]);
  expect(readdirSync(dir)).toEqual([expect.stringContaining(`${kind}-${id}.`)]);
});

it('reports an attachment without address and ID, and sends no request for it', async () => {
  const { office, id } = await open([], ['uri', 'id']);
  const { exit, stdout } = await office.run(`download ${id} --extension 102 -o json`);
  expect(exit).toBe(1);
  const problem = 'the server replied without the address of the content';
  expect(JSON.parse(stdout)).toMatchObject([{ kind: 'voicemail', id, status: 'failed', problem }]);
});

it.each([
  ['7', 'Message 7 has no attachments.\n'],
  ['7 --dry-run', 'Message 7 has no attachments.\n'],
  ['7 8', '2 messages have no attachments.\n'],
])('download %s reports the messages without attachments', async (words, note) => {
  const { run } = await openOffice('102', (send) => (request) => {
    const [, id] = /\/message-store\/(\d+)$/.exec(request.url.pathname) ?? [];
    if (id === undefined) return send(request);
    return Promise.resolve(fakeReply({ status: 200, body: { id: Number(id), attachments: [] } }));
  });
  const { exit, stdout, stderr } = await run(`download ${words} -o json --dir ${temporaryFolder()}`);
  expect([exit, stdout, stderr]).toEqual([0, '[]\n', expect.stringContaining(note)]);
});
