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

/** Copies two voicemails, of which the service then deletes the first. @returns the hashes of their contents */
async function copyTwo(archive: Archive): Promise<{ readonly deleted: string; readonly alive: string }> {
  const { messages, media } = archive;
  const [first, second] = ['https://x.example/4', 'https://x.example/5'];
  const voicemails = [first, second].map((uri, index) =>
    message(4 + index, { type: 'VoiceMail', attachments: [{ id: 4 + index, uri, type: 'AudioRecording' }] }),
  );
  const texts = [replyText(voicemails), replyText([{ id: 4, availability: 'Deleted' }], 'token-2')];
  const { open } = replies(...texts);
  const options = { extensionId: '7', scope: {}, onDelete: 'mark', now: () => Date.UTC(2026, 0, 5) } as const;
  await syncScope(messages, open, options);
  // The content of each attachment is its address.
  const give: FetchMedia = (attachment, ...place) => givesMedia(attachment.uri)(attachment, ...place);
  await copyMedia(messages, media, '7', give);
  await syncScope(messages, open, options);
  return { deleted: sha256Of(first), alive: sha256Of(second) };
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
      expect(await dropDamagedMedia(messages, media, '7')).toBe(1);
      expect(await listOf(messages.mediaHashes())).toEqual([deleted]);
    });

    it('keep their content if they cannot be copied again', async () => {
      const archive = await newArchive(engine);
      const { messages, media } = archive;
      const { deleted, alive } = await copyTwo(archive);
      const damaged: Archive['media'] = Object.assign(Object.create(media), {
        hash: () => Promise.resolve('0'.repeat(64)),
      });
      expect(await dropDamagedMedia(messages, damaged, '7')).toBe(1);
      expect([await media.has(deleted), await media.has(alive)]).toEqual([true, false]);
    });
  });
});
