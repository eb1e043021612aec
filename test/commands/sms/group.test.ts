import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { openOffice, type Office } from '../office.ts';

const dana = '+16505550112';
const erin = '+16505550113';
const picture = Buffer.from('89504e470d0a1a0a', 'hex');

/** An office that accepts groups, and its answers as JSON. */
async function groupOffice() {
  const office = await openOffice('administrator', undefined, ':memory:', {
    settings: { smsRecipients: 10 },
  });
  const send = (words: readonly string[], more?: Parameters<Office['run']>[1]) =>
    office.run(['sms', 'send', ...words, '--dialect', 'current'], more);
  return { ...office, send };
}

function folderWith(files: Readonly<Record<string, Uint8Array>>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

it('spec:CURRENT-6 --group sends one text to all recipients, as one conversation', async () => {
  const { send, requests, sandbox } = await groupOffice();
  requests();
  const words = ['--to', dana, '--to', erin, '--group', 'Lunch?'];
  const { exit, stdout, stderr } = await send([...words, '--yes', '-o', 'json']);
  expect([exit, stderr]).toEqual([
    0,
    `from +16505550110 to ${dana}, ${erin} (group of 2), 6 of 1000 UTF-16 units:\nLunch?\n`,
  ]);
  expect(JSON.parse(stdout)).toMatchObject({ to: [{ phoneNumber: dana }, { phoneNumber: erin }] });
  expect(requests().filter((line) => line.startsWith('POST'))).toHaveLength(1);
  expect([171_857_102, 171_857_103].map((id) => sandbox.messages(id).length)).toEqual([1, 1]);
});

it('commas separate recipients; duplicates are removed', async () => {
  const { send } = await groupOffice();
  const { exit, stdout } = await send([
    '--to',
    `${dana},${erin},${dana}`,
    '--group',
    'hi',
    '-n',
    '-o',
    'json',
  ]);
  expect([exit, JSON.parse(stdout)]).toMatchObject([
    0,
    { body: { to: [{ phoneNumber: dana }, { phoneNumber: erin }] } },
  ]);
});

it.each([
  ['spec', `--to ${dana} --to ${erin} --group hi`, 'a text has only one recipient in dialect spec'],
  ['spec', `--to ${dana} --to ${erin} --group hi`, 'start a sandbox of dialect current'],
  [
    'current',
    `${Array.from({ length: 11 }, (_, index) => `--to +1650555${1000 + index}`).join(' ')} --group hi`,
    '11 recipients, but a group has at most 10',
  ],
  ['current', '--template hi --file a.csv --group', 'cannot be used together'],
  ['current', '--template hi --file a.csv --attach cat.png', 'cannot be used together'],
])('in dialect %s rejects %s', async (dialect, words, text) => {
  const { run, requests } = await openOffice();
  requests();
  const { exit, stderr } = await run(`sms send ${words} --yes --dialect ${dialect}`);
  expect([exit, stderr]).toEqual([2, expect.stringContaining(text)]);
  expect(requests()).toEqual([]);
});

it('a group of the maximum size is accepted', async () => {
  const { send } = await groupOffice();
  const to = Array.from({ length: 10 }, (_, index) => ['--to', `+1650555${1000 + index}`]).flat();
  expect((await send([...to, '--group', 'hi', '--dry-run'])).exit).toBe(0);
});

it('policy and journal count every recipient of a group', async () => {
  const { send } = await groupOffice();
  const words = ['--to', dana, '--to', erin, '--group', 'hi', '--yes'];
  expect((await send(words, { env: { UCCTL_MAX_PER_HOUR: '2' } })).exit).toBe(0);
  const { exit, stderr } = await send(words, { env: { UCCTL_MAX_PER_HOUR: '1' } });
  expect([exit, stderr]).toEqual([9, expect.stringContaining('hour')]);
});

it('spec:SMS-9 --attach sends files with the same bytes, with or without a text', async () => {
  const cwd = folderWith({ 'cat.png': picture, 'card.vcf': Buffer.from('BEGIN:VCARD') });
  const { run, sandbox } = await openOffice();
  const words = [
    'sms',
    'send',
    '--to',
    dana,
    '--attach',
    'cat.png',
    '--attach',
    'card.vcf',
    '--yes',
    '-o',
    'json',
  ];
  const { exit, stdout, stderr } = await run([...words, 'Look'], { cwd });
  expect([exit, stderr]).toEqual([
    0,
    expect.stringContaining('Look\n  cat.png, 8 bytes\n  card.vcf, 11 bytes\n'),
  ]);
  expect(JSON.parse(stdout)).toMatchObject({
    subject: 'Look',
    attachments: [
      { type: 'Text' },
      { fileName: 'cat.png', contentType: 'image/png', size: 8 },
      { fileName: 'card.vcf', contentType: 'text/vcard' },
    ],
  });
  expect((await run(words, { cwd })).exit).toBe(0);
  expect(sandbox.messages(171_857_102)).toHaveLength(2);
});

it('--dedupe-key prevents a second send of a text with files', async () => {
  const at = { cwd: folderWith({ 'cat.png': picture }), paths: temporaryPaths() };
  const { run, sandbox } = await openOffice();
  const words = ['sms', 'send', '--to', dana, '--attach', 'cat.png', 'Look', '--yes', '--dedupe-key', 'k'];
  expect([(await run(words, at)).exit, (await run(words, at)).exit]).toEqual([0, 11]);
  expect(sandbox.messages(171_857_102)).toHaveLength(1);
});

it.each([
  ['notes.docx', 'this file type cannot be sent with a text'],
  ['missing.png', 'cannot read missing.png'],
  ['empty.png', 'empty.png is empty'],
  ['large.png', 'a text can have at most 1500000'],
])('rejects the file %s before anything is sent', async (name, text) => {
  const cwd = folderWith({
    'notes.docx': picture,
    'empty.png': Buffer.alloc(0),
    'large.png': randomBytes(1_500_001),
  });
  const { run, requests } = await openOffice();
  requests();
  const { exit, stderr } = await run(['sms', 'send', '--to', dana, '--attach', name, 'hi', '--yes'], { cwd });
  expect([exit, stderr]).toEqual([2, expect.stringContaining(text)]);
  expect(requests()).toEqual([]);
});

it('spec:MESSAGE-23 delivery errors are explained by show, list and --wait', async () => {
  const { run, sandbox } = await openOffice();
  const failing = '+16505550191';
  const meaning = "delivery error SMS-CAR-411, reported by the recipient's carrier: the number is invalid";
  const { stdout } = await run(`sms send --to ${failing} hello --yes -o json`);
  await sandbox.clock.advance(10_000);
  const { id } = JSON.parse(stdout) as { id: number };
  const shown = await run(`message show ${id}`);
  expect([shown.exit, shown.stderr]).toEqual([0, expect.stringContaining(`1 text: ${meaning}`)]);
  await run(`sms send --to ${failing} again --yes`);
  await sandbox.clock.advance(10_000);
  const listed = await run('sms list -o json');
  expect([listed.exit, listed.stderr]).toEqual([0, expect.stringContaining(`2 texts: ${meaning}`)]);
});

it('spec:SMS-4 the error for a user whose numbers send batches only', async () => {
  const { run } = await openOffice('administrator', (send) => async (request) => {
    const reply = await send(request);
    if (!request.url.pathname.endsWith('/phone-number')) return reply;
    const body = (await reply.text()).replaceAll('"SmsSender"', '"A2PSmsSender"');
    return { ...reply, text: () => Promise.resolve(body) };
  });
  const { exit, stderr } = await run(['sms', 'send', '--to', dana, 'hi', '--yes']);
  expect([exit, stderr]).toEqual([3, expect.stringContaining('only in high-volume batches (A2PSmsSender)')]);
});
