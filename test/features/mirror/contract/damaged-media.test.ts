import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  copyMedia,
  dropDamagedMedia,
  syncScope,
  type FetchMedia,
} from '../../../../src/features/mirror/index.ts';
import type { Archive } from '../../../../src/store/archive.ts';
import { postgresMissing } from '../../../support/postgres.ts';
import { givesMedia, message, replies, replyText } from '../replies.ts';
import { engines, listOf, newArchive } from './archives.ts';

/**
 * Copies two voicemails, of which the service then deletes the first. The content of each attachment is its address, unless
 * `contentOf` returns another one. @returns the hashes of their contents
 */
async function copyTwo(
  archive: Archive,
  contentOf: (uri: string) => string = (uri) => uri,
): Promise<{ readonly deleted: string; readonly alive: string }> {
  const { messages, media } = archive;
  const [first, second] = ['https://x.example/4', 'https://x.example/5'];
  const voicemails = [first, second].map((uri, index) =>
    message(4 + index, { type: 'VoiceMail', attachments: [{ id: 4 + index, uri, type: 'AudioRecording' }] }),
  );
  const texts = [replyText(voicemails), replyText([{ id: 4, availability: 'Deleted' }], 'token-2')];
  const { open } = replies(...texts);
  const options = { extensionId: '7', scope: {}, onDelete: 'mark', now: () => Date.UTC(2026, 0, 5) } as const;
  await syncScope(messages, open, options);
  const give: FetchMedia = (attachment, ...place) =>
    givesMedia(contentOf(attachment.uri))(attachment, ...place);
  await copyMedia(messages, media, '7', give);
  await syncScope(messages, open, options);
  return { deleted: sha256Of(contentOf(first)), alive: sha256Of(contentOf(second)) };
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

describe.each(engines)('missing and damaged attachments (%s)', (engine) => {
  describe.skipIf(engine === 'postgres' ? postgresMissing() : undefined)('with their contract', () => {
    it('are copied again only while the service has their messages', async () => {
      const archive = await newArchive(engine);
      const { messages, media } = archive;
      const { deleted, alive } = await copyTwo(archive);
      for (const sha256 of [deleted, alive]) await media.remove(sha256);
      expect(await dropDamagedMedia(messages, media, '7')).toEqual({ lost: 1, failed: 0 });
      expect(await listOf(messages.mediaHashes())).toEqual([deleted]);
    });

    it('are not lost if another message with the same content still exists', async () => {
      const archive = await newArchive(engine);
      const { messages, media } = archive;
      const { alive } = await copyTwo(archive, () => 'the same sound');
      await media.remove(alive);
      expect(await dropDamagedMedia(messages, media, '7')).toEqual({ lost: 0, failed: 0 });
      expect(await copyMedia(messages, media, '7', givesMedia('the same sound'))).toMatchObject({
        copied: 1,
      });
      expect([await media.has(alive), await listOf(messages.mediaHashes())]).toEqual([true, [alive]]);
    });

    it('are counted only for their mailbox', async () => {
      const archive = await newArchive(engine);
      const { messages, media } = archive;
      const { deleted } = await copyTwo(archive);
      await media.remove(deleted);
      expect(
        await messages.forgetMedia(deleted, '8', () => media.remove(deleted).then(() => undefined)),
      ).toBe(0);
    });

    it('keep their content if they cannot be copied again', async () => {
      const archive = await newArchive(engine);
      const { messages, media } = archive;
      const { deleted, alive } = await copyTwo(archive);
      const damaged: Archive['media'] = Object.assign(Object.create(media), {
        hash: () => Promise.resolve('0'.repeat(64)),
      });
      expect(await dropDamagedMedia(messages, damaged, '7')).toEqual({ lost: 1, failed: 0 });
      expect([await media.has(deleted), await media.has(alive)]).toEqual([true, false]);
    });
  });
});
