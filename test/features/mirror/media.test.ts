import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copyMedia, dropDamagedMedia, type FetchMedia } from '../../../src/features/mirror/index.ts';
import {
  givesMedia,
  mediaOf,
  message,
  messagesOf,
  newMirror,
  noting,
  replies,
  replyText,
  rows,
  sync,
} from './replies.ts';
import { forgetMedia } from '../../../src/features/mirror/sqlite-media.ts';
import { DiskFullError } from '../../../src/errors/command.ts';
import { Interrupted } from '../../../src/errors/interrupted.ts';

async function voicemails(count: number, uriOf: (id: number) => string = (id) => `https://x.example/${id}`) {
  const mirror = newMirror();
  const records = Array.from({ length: count }, (_, index) => {
    const id = index + 1;
    const attachment = { id, uri: uriOf(id), contentType: 'audio/mpeg' };
    return message(id, { type: 'VoiceMail', subject: undefined, attachments: [attachment] });
  });
  await sync(mirror.db, replies(replyText(records)).open);
  return mirror;
}

/** Every fetch waits until `most` are in progress. */
function concurrentFetch(most: number, give: FetchMedia) {
  const seen = { now: 0, most: 0, fetched: 0 };
  const waiting: (() => void)[] = [];
  const fetchMedia: FetchMedia = async (...asked) => {
    seen.now += 1;
    seen.fetched += 1;
    seen.most = Math.max(seen.most, seen.now);
    if (seen.now < most) await new Promise<void>((resolve) => waiting.push(resolve));
    for (const go of waiting.splice(0)) go();
    seen.now -= 1;
    return give(...asked);
  };
  return { fetchMedia, seen };
}

const fullDisk = Object.assign(new Error('ENOSPC: no space left on device'), {
  code: 'ENOSPC',
  syscall: 'write',
  path: '/a/file',
});

describe('copying attachments', () => {
  it('reads four at the same time, not more', async () => {
    const { db, file } = await voicemails(8);
    const { fetchMedia, seen } = concurrentFetch(4, givesMedia('sound'));
    expect(await copyMedia(messagesOf(db), mediaOf(file), '7', fetchMedia)).toEqual({ copied: 8, failed: 0 });
    expect(seen).toMatchObject({ most: 4, fetched: 8 });
    expect(rows(db, 'SELECT count(*) AS n, count(DISTINCT sha256) AS files FROM media')).toEqual([
      { n: 8, files: 1 },
    ]);
  });

  it.each([
    ['the content', (): FetchMedia => () => Promise.reject(fullDisk)],
    ['a download', (): FetchMedia => () => Promise.reject(new DiskFullError('full', { cause: fullDisk }))],
  ])(
    'tries no further attachments if the disk is full for %s, and does not end the run',
    async (_, fetchOf) => {
      const { db, file } = await voicemails(8);
      const media = mediaOf(file);
      expect(await copyMedia(messagesOf(db), media, '7', fetchOf())).toMatchObject({
        copied: 0,
        failed: 4,
        placeFailure: {
          code: 'disk_full',
          exit: 12,
          message: `cannot store attachments in ${media.unfinished}: the disk is full`,
          hint: 'free up disk space, then run the same command again',
        },
      });
    },
  );

  it('ends if the disk of the database is full, which also concerns messages', async () => {
    const { db, file } = await voicemails(8);
    const messages = messagesOf(db);
    messages.saveMedia = () => Promise.reject(fullDisk);
    await expect(copyMedia(messages, mediaOf(file), '7', givesMedia('sound'))).rejects.toBe(fullDisk);
  });

  it('tries no further attachments if a file cannot be written', async () => {
    const { db, file } = await voicemails(8);
    const denied = Object.assign(new Error('EACCES: permission denied'), {
      code: 'EACCES',
      syscall: 'open',
      path: '/a/file',
    });
    const report = await copyMedia(messagesOf(db), mediaOf(file), '7', () => Promise.reject(denied));
    expect(report).toMatchObject({ copied: 0, failed: 4, placeFailure: denied });
  });

  it('reads an attachment of several messages once', async () => {
    const { db, file } = await voicemails(4, () => 'https://x.example/same');
    const { fetchMedia, seen } = concurrentFetch(1, givesMedia('sound'));
    expect(await copyMedia(messagesOf(db), mediaOf(file), '7', fetchMedia)).toEqual({ copied: 4, failed: 0 });
    expect(seen.fetched).toBe(1);
  });

  it('keeps the folder of partial files while another mailbox downloads into it', async () => {
    const { db, file } = await voicemails(1);
    const attachment = { id: 2, uri: 'https://x.example/2', contentType: 'audio/mpeg' };
    const other = message(2, { type: 'VoiceMail', subject: undefined, attachments: [attachment] });
    const reply = replyText([other]).replace('/extension/7/message-sync', '/extension/8/message-sync');
    await sync(db, replies(reply).open, { extensionId: '8' });
    const media = mediaOf(file);
    const fast: unknown[] = [];
    const slow: FetchMedia = async (_, folder, name) => {
      fast.push(await copyMedia(messagesOf(db), media, '8', givesMedia('another sound')));
      const part = join(folder, name);
      writeFileSync(part, 'sound');
      return { file: part, bytes: 5, sha256: undefined };
    };
    expect(await copyMedia(messagesOf(db), media, '7', slow)).toEqual({ copied: 1, failed: 0 });
    expect(fast).toEqual([{ copied: 1, failed: 0 }]);
    expect(existsSync(media.unfinished)).toBe(false);
  });

  it('spec:CURRENT-17 copies an attachment of two mailboxes at the same time', async () => {
    const uri = 'https://x.example/shared';
    const { db, file } = await voicemails(1, () => uri);
    const attachment = { id: 1, uri, contentType: 'audio/mpeg' };
    const same = message(1, { type: 'VoiceMail', subject: undefined, attachments: [attachment] });
    const reply = replyText([same]).replace('/extension/7/message-sync', '/extension/8/message-sync');
    await sync(db, replies(reply).open, { extensionId: '8' });
    const { fetchMedia } = concurrentFetch(2, givesMedia('sound'));
    const copies = ['7', '8'].map((mailbox) => copyMedia(messagesOf(db), mediaOf(file), mailbox, fetchMedia));
    expect(await Promise.all(copies)).toEqual([
      { copied: 1, failed: 0 },
      { copied: 1, failed: 0 },
    ]);
  });

  it('reports an attachment that the folder lacks, and the next step', async () => {
    const { file } = newMirror();
    await expect(mediaOf(file).read('0a'.repeat(32))).rejects.toMatchObject({
      code: 'media_store',
      exit: 12,
      message: expect.stringContaining(`not found in ${file}.media`) as string,
    });
  });

  it('reports an interruption only after the other fetches have ended', async () => {
    const { db, file } = await voicemails(8);
    let ended = 0;
    let begun = 0;
    const give = givesMedia('sound');
    const fetchMedia: FetchMedia = async (...asked) => {
      begun += 1;
      if (begun === 2) throw new Interrupted('SIGINT');
      await new Promise((resolve) => setImmediate(resolve));
      ended += 1;
      return give(...asked);
    };
    await expect(copyMedia(messagesOf(db), mediaOf(file), '7', fetchMedia)).rejects.toBeInstanceOf(
      Interrupted,
    );
    expect([begun, ended]).toEqual([4, 3]);
    expect(rows(db, 'SELECT count(*) AS n FROM media')).toEqual([{ n: 3 }]);
  });
});

describe('repairing attachments', () => {
  /** Copies attachments with different contents, and returns the paths of their files. */
  async function copied(count: number) {
    const { db, file } = await voicemails(count);
    const [messages, media] = [messagesOf(db), mediaOf(file)];
    const fetchMedia: FetchMedia = (attachment, ...place) => givesMedia(attachment.uri)(attachment, ...place);
    await copyMedia(messages, media, '7', fetchMedia);
    const files = rows(db, 'SELECT sha256 FROM media').map(({ sha256 }) => media.fileOf(String(sha256)));
    return {
      files: files as [string, string, string],
      drop: () => dropDamagedMedia(messages, media, '7'),
      copy: () => copyMedia(messages, media, '7', fetchMedia),
      stored: () => rows(db, 'SELECT count(*) AS n FROM media')[0]?.['n'],
    };
  }

  it('copies a file that cannot be read again', async () => {
    const { files, drop, copy } = await copied(3);
    const [unreadable, missing] = files;
    rmSync(missing);
    rmSync(unreadable);
    // The system cannot open a link to itself, also for root.
    symlinkSync(unreadable, unreadable);
    expect(await drop()).toEqual({ lost: 0, failed: 0 });
    expect(await copy()).toEqual({ copied: 2, failed: 0 });
    expect(files.map((path) => existsSync(path))).toEqual([true, true, true]);
  });

  it('counts a file that cannot be replaced, and repairs the others', async () => {
    const { files, drop, copy, stored } = await copied(3);
    const [replaced, missing] = files;
    for (const path of [replaced, missing]) rmSync(path);
    mkdirSync(replaced);
    expect(await drop()).toEqual({
      lost: 0,
      failed: 1,
      problem: `${replaced}: the path is a folder, not a file`,
    });
    expect([await copy(), stored()]).toEqual([{ copied: 1, failed: 0 }, 3]);
  });

  it('deletes a row without a scan of the messages', async () => {
    const { db, file } = await voicemails(1);
    await copyMedia(messagesOf(db), mediaOf(file), '7', givesMedia('sound'));
    const [{ sha256 } = { sha256: '' }] = rows(db, 'SELECT sha256 FROM media');
    const { noted, statements } = noting(db);
    const damaged = { sha256: String(sha256), extensionId: '7' };
    expect(await forgetMedia(noted, damaged, () => Promise.resolve())).toBe(0);
    expect(statements).toContainEqual(expect.stringContaining('DELETE FROM media'));
    const plan = statements.flatMap((sql) => rows(db, `EXPLAIN QUERY PLAN ${sql}`));
    expect(plan.map(({ detail }) => String(detail))).not.toContainEqual(expect.stringMatching(/^SCAN /));
  });

  it('ends at a folder that cannot be used, and keeps the attachments in the copy', async () => {
    const { files, drop, stored } = await copied(3);
    const [first] = files;
    rmSync(dirname(first), { recursive: true });
    writeFileSync(dirname(first), '');
    await expect(drop()).rejects.toMatchObject({ code: 'ENOTDIR' });
    expect(stored()).toBe(3);
  });
});
