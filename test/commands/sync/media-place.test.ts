import { describe, expect, it, onTestFinished } from 'vitest';
import { createNetwork } from '../../../src/client/network.ts';
import { s3Key, startFakeS3 } from '../../support/fake-s3.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

const caller = '+15555550177';
const own = '+16505550110';
const users = ['101', '102'];

/** An office with three voicemails for each recipient, and syncs that store attachments in a bucket. */
async function openArchive(recipients = users) {
  const s3 = await startFakeS3('archive');
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
  const run = (words: string, bucket = 'archive') =>
    office.run(words, {
      env: { ...env, UCCTL_MEDIA_STORE: `s3://${bucket}/voice` },
      paths,
      now: () => sandbox.clock.now(),
    });
  return { downloads, run, objects: s3.objects };
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

describe('sync --full --media', () => {
  it('keeps an attachment that cannot be copied again in the copy, and warns', async () => {
    const { run, objects } = await openArchive([own]);
    const words = 'sync --media -o json';
    await run(words);
    const { stdout } = await run('message list --type VoiceMail -o json');
    const [first] = JSON.parse(stdout) as readonly { readonly id: string }[];
    expect(await run(`message delete ${first?.id}`)).toMatchObject({ exit: 0 });
    objects.clear();
    const again = await run(`${words} --full`);
    expect([again.exit, JSON.parse(again.stdout)]).toMatchObject([0, [{ vanished: 1, media: 2 }]]);
    expect(again.stderr).toMatch(/^warning: 1 attachment of mailbox \S+ is missing or damaged in s3:/);
    const verified = await run('sync verify -o json');
    expect(JSON.parse(verified.stdout)).toContainEqual(
      expect.objectContaining({ check: 'attachments', wrong: 0 }),
    );
  });
});
