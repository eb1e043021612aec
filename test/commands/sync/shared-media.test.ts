import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import { createNetwork } from '../../../src/client/network.ts';
import { openDatabase } from '../../../src/platform/sqlite.ts';
import { s3Key, startFakeS3 } from '../../support/fake-s3.ts';
import { postgresMissing, testStore } from '../../support/postgres.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

const own = '+16505550110';
const caller = '+15555550177';

/** An office with a voicemail, and runs that store attachments in one place. `around` can add another server. */
async function openSharing(
  env: Readonly<Record<string, string>>,
  around: (send: HttpSend) => HttpSend = (send) => send,
) {
  const office = await openOffice('administrator', around);
  const { sandbox } = office;
  await sandbox.control('POST', '/triggers/voicemail', { to: own, from: caller });
  const paths = temporaryPaths();
  const succeed = async (words: readonly string[]) => {
    const result = await office.run(words, { env, paths, now: () => sandbox.clock.now() });
    expect([words, result.exit, result.stderr]).toEqual([words, 0, expect.anything()]);
    return result;
  };
  return {
    paths,
    succeed,
    copy: (target: readonly string[]) => succeed(['sync', '--media', ...target]),
    erase: (target: readonly string[]) => succeed(['sync', 'erase', '--phone', caller, '--yes', ...target]),
    verify: (target: readonly string[]) => succeed(['sync', 'verify', '--sample', '0', ...target]),
  };
}

/** The options of a new mailbox copy in a file. */
function newFile(): readonly string[] {
  return ['--database', join(temporaryFolder(), 'copy.sqlite')];
}

/** The names of all files below a folder. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
}

/** Moves the attachments of a copy to where versions without IDs of archives stored them. */
function asEarlierVersion(place: string): void {
  const archives = join(place, 'archives');
  for (const id of readdirSync(archives))
    for (const part of readdirSync(join(archives, id)))
      renameSync(join(archives, id, part), join(place, part));
}

describe('mailbox copies that store attachments in one folder', () => {
  it('delete only their own attachments', async () => {
    const place = temporaryFolder();
    const it = await openSharing({ UCCTL_MEDIA_STORE: place });
    const [one, other] = [newFile(), newFile()];
    for (const copy of [one, other]) await it.copy(copy);
    await it.erase(one);
    await it.verify(other);
    expect(filesIn(place)).toHaveLength(1);
    await it.erase(other);
    expect(filesIn(place)).toEqual([]);
  });

  it('read attachments of earlier versions, and report that they do not delete them', async () => {
    const place = temporaryFolder();
    const it = await openSharing({ UCCTL_MEDIA_STORE: place });
    const [one, other] = [newFile(), newFile()];
    await it.copy(one);
    asEarlierVersion(place);
    const db = openDatabase(one[1] ?? '');
    db.exec('DROP TABLE archive');
    db.close();
    // A command that only reads finds the attachments without an ID of the archive.
    await it.verify(one);
    await it.copy(other);
    const { stderr } = await it.erase(one);
    expect(stderr).toContain(`1 attachment in ${place} was not deleted`);
    expect(filesIn(place)).toHaveLength(2);
    await it.verify(other);
  });

  it('keep a file of attachments next to each database without the setting', async () => {
    const it = await openSharing({});
    const [one, other] = [newFile(), newFile()];
    for (const copy of [one, other]) await it.copy(copy);
    expect((await it.erase(one)).stderr).not.toContain('not deleted');
    expect(filesIn(`${one[1]}.media`)).toEqual([]);
    expect(existsSync(join(`${other[1]}.media`, 'archives'))).toBe(false);
    await it.verify(other);
  });
});

describe('mailbox copies that store attachments in one bucket', () => {
  it.each([
    ['lists objects', true],
    ['does not list objects', false],
  ])('delete only their own attachments with a key that %s', async (_, mayList) => {
    const s3 = await startFakeS3('archive', { mayList });
    const network = await createNetwork({});
    onTestFinished(() => network.close());
    const env = {
      UCCTL_MEDIA_STORE: 's3://archive/voice',
      AWS_ENDPOINT_URL_S3: s3.endpoint,
      AWS_ACCESS_KEY_ID: s3Key.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3Key.secretAccessKey,
    };
    const it = await openSharing(
      env,
      (send) => (request) => (request.url.origin === s3.endpoint ? network.send : send)(request),
    );
    const [one, other] = [newFile(), newFile()];
    await it.copy(one);
    // As earlier versions stored the object.
    const [key = ''] = s3.objects.keys();
    s3.objects.set(key.replace(/archives\/[^/]+\//, ''), s3.objects.get(key) ?? Buffer.of());
    s3.objects.delete(key);
    await it.verify(one);
    await it.copy(other);
    expect((await it.erase(other)).stderr).toContain('was not deleted');
    await it.verify(one);
    expect(s3.objects.size).toBe(1);
  });
});

describe.skipIf(postgresMissing())('stores of one profile', () => {
  it('delete only their own attachments', async () => {
    const it = await openSharing({});
    const [one, other] = (await Promise.all([testStore(), testStore()])).map(({ url }) => ['--store', url]);
    for (const store of [one ?? [], other ?? []]) await it.copy(store);
    await it.erase(one ?? []);
    await it.verify(other ?? []);
    expect(filesIn(join(it.paths.data, 'mailbox'))).toHaveLength(1);
  });

  it('get the attachments of a file that uses the same place', async () => {
    const place = temporaryFolder();
    const it = await openSharing({ UCCTL_MEDIA_STORE: place });
    const file = newFile();
    const { url } = await testStore();
    await it.copy(file);
    await it.succeed(['store', 'copy', '--from', file[1] ?? '', '--store', url]);
    expect(filesIn(place)).toHaveLength(2);
    await it.erase(['--store', url]);
    await it.verify(file);
  });
});
