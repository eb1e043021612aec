import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createNetwork } from '../../../src/client/network.ts';
import { eventually } from '../../support/eventually.ts';
import { s3Key, startFakeS3, type S3Behavior } from '../../support/fake-s3.ts';
import type { RunOptions } from '../../support/run-ucctl.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';
import { live } from '../webhook/listening.ts';

const caller = '+15555550177';
const own = '+16505550110';
const users = ['101', '102'];

/** An office with three voicemails for each recipient, and syncs that store attachments in a bucket. */
async function openArchive(recipients = users, behavior: S3Behavior = {}) {
  const s3 = await startFakeS3('archive', behavior);
  const network = await createNetwork({});
  onTestFinished(() => network.close());
  const downloads: string[] = [];
  const office = await openOffice('administrator', (send) => (request) => {
    if (request.url.origin === s3.endpoint) return network.send(request);
    if (request.url.pathname.includes('/content/')) downloads.push(request.url.pathname);
    return send(request);
  });
  const { sandbox } = office;
  for (const to of recipients)
    for (let count = 0; count < 3; count += 1)
      await sandbox.control('POST', '/triggers/voicemail', { to, from: caller });
  const env = {
    AWS_ENDPOINT_URL_S3: s3.endpoint,
    AWS_ACCESS_KEY_ID: s3Key.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3Key.secretAccessKey,
  };
  const paths = temporaryPaths();
  /** @param place a bucket, or the path of a folder */
  const options = (place: string): RunOptions => ({
    env: { ...env, UCCTL_MEDIA_STORE: isAbsolute(place) ? place : `s3://${place}/voice` },
    paths,
    now: () => sandbox.clock.now(),
  });
  const run = (words: string, place = 'archive') => office.run(words, options(place));
  return { downloads, run, options, office, sandbox, paths, objects: s3.objects };
}

/** An archive with two files in a folder, in which another folder has replaced one of the files. */
async function withUnreadableFile() {
  const archive = await openArchive([own]);
  const { run, paths, sandbox } = archive;
  await sandbox.control('POST', '/triggers/voicemail', { to: own, from: caller, seconds: 3 });
  const folder = join(paths.data, 'place');
  await run('sync --media', folder);
  const [file, other] = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /[0-9a-f]{64}$/.test(name))
    .map((name) => join(folder, name)) as [string, string];
  rmSync(file);
  mkdirSync(file);
  return { ...archive, folder, file, other };
}

describe('a sync whose place of attachments cannot be used', () => {
  it('copies all messages, tries no further attachments, and ends with the reason', async () => {
    const { downloads, run } = await openArchive();
    const words = `sync --media --extension ${users.join(',')} --concurrency 1 -o json`;
    const failed = await run(words, 'another');
    expect([failed.exit, JSON.parse(failed.stdout)]).toMatchObject([
      12,
      [
        { added: 3, media: 0, mediaErrors: 3 },
        { added: 3, media: 0, mediaErrors: 0 },
      ],
    ]);
    expect(failed.stderr).toMatch(
      /^\{"error":\{"code":"media_store","message":"[^"]* could not be stored: HTTP 404 NoSuchBucket"/,
    );
    expect(new Set(downloads).size).toBe(3);
    const later = await run(words);
    expect([later.exit, JSON.parse(later.stdout)]).toMatchObject([0, [{ media: 3 }, { media: 3 }]]);
  });

  it('does not treat the copied attachments as missing', async () => {
    const { run, objects } = await openArchive();
    await run('sync --media --extension all');
    const failed = await run('sync --media --full --extension all', 'another');
    expect([failed.exit, failed.stderr]).toEqual([12, expect.stringContaining('404 NoSuchBucket')]);
    const verified = await run('sync verify -o json');
    expect(JSON.parse(verified.stdout)).toContainEqual(
      expect.objectContaining({ check: 'attachments', checked: objects.size, wrong: 0 }),
    );
  });
});

it('sync --watch copies messages although the place of the attachments cannot be used', async () => {
  const { options, office, sandbox } = await openArchive([own]);
  const { result, shown, interrupt } = await live(office, 'sync --watch --media', options('another'));
  await sandbox.control('POST', '/triggers/sms', { to: own, from: caller, text: 'hello' });
  await eventually(() => {
    expect((shown() as readonly { readonly added?: number }[]).map(({ added }) => added)).toEqual([3, 1]);
  });
  interrupt();
  const { exit, stderr } = await result;
  expect([exit, stderr.match(/HTTP 404 NoSuchBucket; only messages are copied\n/g)]).toEqual([
    0,
    [expect.anything()],
  ]);
});

describe('sync verify', () => {
  it('names an attachment that may be missing, and the permission that would show it', async () => {
    const { run, objects } = await openArchive([own], { mayList: false });
    await run('sync --media');
    const [key = ''] = objects.keys();
    objects.clear();
    const { exit, stderr } = await run('sync verify');
    expect(exit).toBe(12);
    expect(stderr).toContain(`attachment ${key.slice(-64)} could not be read: HTTP 403 AccessDenied\n`);
    expect(stderr).toContain('add s3:ListBucket');
  });

  it('reports a file that cannot be read like a missing one', async () => {
    const { run, folder } = await withUnreadableFile();
    const verified = await run('sync verify -o json', folder);
    expect([verified.exit, JSON.parse(verified.stdout)]).toMatchObject([
      11,
      expect.arrayContaining([
        expect.objectContaining({
          check: 'attachments',
          wrong: 1,
          details: [expect.stringContaining('is a folder')],
        }),
      ]),
    ]);
  });
});

describe('an unused file that cannot be deleted', () => {
  it('is reported after other files were deleted and attachments were copied', async () => {
    const { run, folder, file, other, sandbox } = await withUnreadableFile();
    await run('message delete --type VoiceMail --yes');
    for (const seconds of [7, 8]) {
      await sandbox.control('POST', '/triggers/voicemail', { to: own, from: caller, seconds });
      const { exit, stdout, stderr } = await run('sync --media --on-delete purge -o json', folder);
      expect([exit, JSON.parse(stdout), stderr]).toMatchObject([
        12,
        [{ media: 1, mediaErrors: 0 }],
        expect.stringContaining(`cannot use ${file}: the path is a folder, not a file`),
      ]);
    }
    expect(existsSync(other)).toBe(false);
    rmdirSync(file);
    expect((await run('sync --media', folder)).exit).toBe(0);
  });

  it('is named by sync --watch, which continues', async () => {
    const { run, folder, file, office, options, sandbox } = await withUnreadableFile();
    await run('message delete --type VoiceMail --yes');
    const words = 'sync --watch --media --on-delete purge';
    const { result, shown, interrupt } = await live(office, words, options(folder));
    await sandbox.control('POST', '/triggers/voicemail', { to: own, from: caller, seconds: 7 });
    await eventually(() => {
      expect(shown()).toContainEqual(expect.objectContaining({ added: 1, media: 1 }));
    });
    interrupt();
    const { exit, stderr } = await result;
    expect(exit).toBe(0);
    expect(stderr.match(/could not delete an unused attachment: .*/g)).toEqual([
      `could not delete an unused attachment: ${file}: the path is a folder, not a file`,
    ]);
  });
});

describe('sync --full --media', () => {
  it('names a file that cannot be replaced, and copies the other missing attachments', async () => {
    const { run, folder, file, other } = await withUnreadableFile();
    rmSync(other);
    const again = await run('sync --full --media -o json', folder);
    expect([again.exit, JSON.parse(again.stdout)]).toMatchObject([8, [{ mediaErrors: 1 }]]);
    expect(again.stderr).toContain(`: ${file}: the path is a folder, not a file\n`);
    expect(existsSync(other)).toBe(true);
  });

  it('keeps an attachment that cannot be copied again in the copy, and warns', async () => {
    const { run, objects } = await openArchive([own]);
    const words = 'sync --media -o json';
    await run(words);
    expect(await run('message delete --type VoiceMail --yes')).toMatchObject({ exit: 0 });
    objects.clear();
    const again = await run(`${words} --full`);
    expect([again.exit, JSON.parse(again.stdout)]).toMatchObject([0, [{ vanished: 3, media: 0 }]]);
    expect(again.stderr).toMatch(
      /^warning: 3 attachments of mailbox \S+ are missing, damaged or unreadable in s3:/,
    );
    const verified = await run('sync verify -o json');
    expect(JSON.parse(verified.stdout)).toContainEqual(
      expect.objectContaining({ check: 'attachments', wrong: 1 }),
    );
  });
});
