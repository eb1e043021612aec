import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNetwork } from '../../src/client/network.ts';
import { S3Media } from '../../src/features/mirror/s3-media.ts';
import { s3Settings } from '../../src/features/mirror/s3-requests.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { cephMissing, startCeph, type Ceph, type CephKey } from '../../test/support/ceph.ts';
import { Dice } from '../../test/support/dice.ts';
import { startUcctl } from '../../test/support/process.ts';
import { userOf } from '../../test/support/sandbox.ts';
import type { Result, Size } from './result.ts';

/** Number of attachments, and the largest size of one in bytes. */
const amounts = {
  full: { attachments: 500, bytes: 4_000_000 },
  reduced: { attachments: 20, bytes: 100_000 },
} as const;
/** Prefixes whose characters have a meaning in URLs, or in signatures. */
const prefixes = ['voice', "a b/ü+(x)'!*", '~t.e-s_t=&;:@,$', '100%25', 'x//y'];
const bucket = 'attachments';

/** The parts of one run. */
interface Stage {
  readonly ceph: Ceph;
  readonly folder: string;
  /** Opens a place of attachments in the bucket. */
  readonly open: (prefix: string, other?: { readonly bucket?: string; readonly key?: CephKey }) => S3Media;
}

/** Stores attachments in the object gateway of Ceph, an S3-compatible product. */
export async function run(size: Size): Promise<readonly Result[]> {
  const missing = cephMissing();
  if (missing !== undefined)
    return [{ promise: 'S3 product', figure: `not run: ${missing}`, holds: size === 'reduced' }];
  const ceph = await startCeph();
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-proof-'));
  const network = await createNetwork({});
  const open: Stage['open'] = (prefix, { bucket: name = bucket, key = ceph.owner } = {}) =>
    new S3Media(s3Settings(`s3://${name}/${prefix}`, environmentOf(ceph, key)), {
      send: network.send,
      unfinished: folder,
      signal: new AbortController().signal,
      sleep: () => Promise.resolve(),
    });
  try {
    await ceph.createBucket(bucket);
    const stage = { ceph, folder, open };
    return [
      await storeMany(stage, amounts[size]),
      await storeTwice(stage),
      await rejectChanged(stage),
      await nameProblems(stage),
      await copyMailbox(stage),
    ];
  } finally {
    await network.close();
    await ceph.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function environmentOf(
  { endpoint }: Ceph,
  { accessKeyId, secretAccessKey }: CephKey,
): Readonly<Record<string, string>> {
  return {
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  };
}

function sha256Of(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Writes a file, and stores it. @param sha256 the hash under which it is stored */
async function put(
  { folder }: Stage,
  media: S3Media,
  content: Uint8Array,
  sha256 = sha256Of(content),
): Promise<string> {
  const file = join(folder, `download-${sha256}`);
  writeFileSync(file, content);
  await media.put(file, { sha256, bytes: content.length });
  return sha256;
}

async function storeMany(stage: Stage, { attachments, bytes }: (typeof amounts)[Size]): Promise<Result> {
  const dice = new Dice('attachments');
  let equal = 0;
  let deleted = 0;
  for (let number = 0; number < attachments; number += 1) {
    const media = stage.open(dice.pick(prefixes));
    const content = Buffer.alloc(dice.integer(0, bytes), `${number} `);
    const sha256 = await put(stage, media, content);
    const read = await media.read(sha256);
    if (content.equals(read) && (await media.hash(sha256)) === sha256 && (await media.has(sha256)))
      equal += 1;
    await media.remove(sha256);
    if (!(await media.has(sha256)) && (await media.hash(sha256)) === undefined) deleted += 1;
  }
  return {
    promise: 'attachments are stored, read and deleted',
    figure: `${equal} of ${attachments} are equal, ${deleted} are deleted`,
    holds: equal === attachments && deleted === attachments,
  };
}

async function storeTwice(stage: Stage): Promise<Result> {
  const media = stage.open('twice');
  const content = Buffer.from('a voicemail');
  await put(stage, media, content);
  // The product must reject the second content, because it never compares it.
  const sha256 = await put(stage, media, content);
  const keys = (await stage.ceph.keysIn(bucket)).filter((key) => key.startsWith('twice/'));
  const isEqual = content.equals(await media.read(sha256));
  return {
    promise: 'an attachment that another run stored is not replaced',
    figure: `${keys.length} object after two uploads, its content is ${isEqual ? 'equal' : 'different'}`,
    holds: keys.length === 1 && isEqual,
  };
}

async function rejectChanged(stage: Stage): Promise<Result> {
  const media = stage.open('changed');
  const wrong = sha256Of(Buffer.from('the content that the service sent'));
  const error = await problemOf(() => put(stage, media, Buffer.from('another content'), wrong));
  const isStored = await media.has(wrong);
  return {
    promise: 'content that changed during the upload is not stored',
    figure: `${error}; stored: ${isStored}`,
    holds: error.includes('HTTP 400') && !isStored,
  };
}

/** Checks that the error of each wrong setting contains the code of the product. */
async function nameProblems(stage: Stage): Promise<Result> {
  const { ceph, open } = stage;
  const content = Buffer.from('content');
  const sha256 = sha256Of(content);
  await put(stage, open('shared'), content);
  const { other, owner } = ceph;
  const wrong = { ...owner, secretAccessKey: 'wrong' };
  const errors: [expected: string, error: string][] = [
    ['SignatureDoesNotMatch', await problemOf(() => put(stage, open('p', { key: wrong }), content))],
    ['NoSuchBucket', await problemOf(() => open('p', { bucket: 'no-such-bucket' }).hash(sha256))],
    ['AccessDenied', await problemOf(() => put(stage, open('p', { key: other }), content))],
  ];
  await ceph.permit(bucket, ['s3:PutObject', 's3:DeleteObject'], ['s3:GetObject']);
  const unreadable = open('unreadable', { key: other });
  await put(stage, unreadable, content);
  errors.push(['s3:GetObject is missing', await problemOf(() => unreadable.has(sha256))]);
  await ceph.permit(bucket, ['s3:PutObject', 's3:DeleteObject', 's3:GetObject']);
  const unlisted = open('unlisted', { key: other });
  const found = [await unlisted.has(sha256)];
  await put(stage, unlisted, content);
  found.push(await unlisted.has(sha256));
  const named = errors.filter(([expected, error]) => error.includes(expected));
  return {
    promise: 'wrong keys, buckets and permissions are named',
    figure: `${named.length} of ${errors.length} errors name the reason${named.length === errors.length ? '' : ` (${errors.map(([, error]) => error).join('; ')})`}; without s3:ListBucket, an attachment is found before and after its upload: ${found.join(', ')}`,
    holds: named.length === errors.length && !found[0] && found[1] === true,
  };
}

/** Copies a mailbox with the program, and verifies the copy before and after an object disappears. */
async function copyMailbox({ ceph, folder, open }: Stage): Promise<Result> {
  const sandbox = await startSandbox({ clock: 'real' });
  try {
    await sandbox.control('POST', '/triggers/voicemail', { to: '102', from: '101' });
    const { username, password } = userOf(sandbox, '102');
    const env = {
      HOME: folder,
      ...environmentOf(ceph, ceph.owner),
      UCCTL_MEDIA_STORE: `s3://${bucket}/mailbox`,
      UCCTL_BASE_URL: sandbox.url,
      UCCTL_CLIENT_ID: sandbox.ready.clientId,
      UCCTL_CLIENT_SECRET: sandbox.ready.clientSecret,
      UCCTL_PASSWORD: password,
    };
    const exits: (number | null)[] = [];
    const run = async (...words: readonly string[]): Promise<void> => {
      exits.push((await startUcctl(words, { env }).ended).exit);
    };
    await run('login', '--flow', 'password', '--username', username, '--store', 'file');
    await run('sync', '--media');
    await run('sync', 'verify');
    const key = (await ceph.keysIn(bucket)).find((name) => name.startsWith('mailbox/')) ?? '';
    await open(key.replace(/\/sha256\/.*/, '')).remove(key.replace(/.*\//, ''));
    await run('sync', 'verify');
    await run('sync', '--media', '--full');
    await run('sync', 'verify');
    return {
      promise: 'a mailbox copy with attachments is verified and repaired',
      figure: `exit codes of login, sync, verify, verify after a deletion, full sync, verify: ${exits.join(', ')}`,
      holds: exits.join() === '0,0,0,11,0,0',
    };
  } finally {
    await sandbox.close();
  }
}

async function problemOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return 'no error';
  } catch (error) {
    return (error as Error).message;
  }
}
