import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ArchiveMedia } from '../../../src/features/mirror/archive-media.ts';
import { dropUnfinishedMedia, FolderMedia } from '../../../src/features/mirror/index.ts';
import { temporaryFolder } from '../../support/temporary.ts';

it('partial downloads of this and of earlier versions are deleted, and nothing of other archives', async () => {
  const folder = temporaryFolder();
  const media = new ArchiveMedia(new FolderMedia(join(folder, 'archives/one')), new FolderMedia(folder));
  const other = new FolderMedia(join(folder, 'archives/two'));
  const files = [media.unfinished, media.earlierUnfinished, other.unfinished].map((place) => {
    mkdirSync(place, { recursive: true });
    const file = join(place, 'abc.part');
    writeFileSync(file, 'partial');
    return file;
  });
  await dropUnfinishedMedia(media);
  expect(files.map((file) => existsSync(file))).toEqual([false, false, true]);
});
