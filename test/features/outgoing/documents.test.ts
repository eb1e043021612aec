import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faxBytes, mmsBytes, mmsFiles } from '../../../src/contract/limits.ts';
import { openAttachments, openDocuments } from '../../../src/features/outgoing/index.ts';
import type { Context } from '../../../src/runtime/context.ts';
import { temporaryFolder } from '../../support/temporary.ts';

/** A folder, and a function that creates a file of a size in it, which needs no space on the disk. */
function folder() {
  const ctx = { cwd: temporaryFolder() } as Context;
  const file = (name: string, bytes: number): string => {
    writeFileSync(join(ctx.cwd, name), '');
    truncateSync(join(ctx.cwd, name), bytes);
    return name;
  };
  return { ctx, file };
}

describe('spec:SMS-9 the files of a text', () => {
  it('can have the maximum size and number', async () => {
    const { ctx, file } = folder();
    const files = Array.from({ length: mmsFiles }, (_, at) =>
      file(`${at}.png`, at === 0 ? mmsBytes - mmsFiles + 1 : 1),
    );
    const opened = await openAttachments(ctx, files);
    expect(opened.reduce((sum, { size }) => sum + size, 0)).toBe(mmsBytes);
    await expect(openAttachments(ctx, [...files, file('more.png', 1)])).rejects.toThrow(
      `at most ${mmsFiles} files`,
    );
  });

  it('cannot be larger', async () => {
    const { ctx, file } = folder();
    const files = [file('large.png', mmsBytes), file('small.png', 1)];
    await expect(openAttachments(ctx, files)).rejects.toThrow(`the files have ${mmsBytes + 1} bytes`);
  });
});

describe('the documents of a fax', () => {
  it('can have the maximum size, and cannot be larger', async () => {
    const { ctx, file } = folder();
    const large = file('large.pdf', faxBytes);
    expect(await openDocuments(ctx, [large])).toMatchObject([{ fileName: 'large.pdf', size: faxBytes }]);
    const more = openDocuments(ctx, [large, file('small.txt', 1)]);
    await expect(more).rejects.toThrow(`the documents have ${faxBytes + 1} bytes`);
  });

  it('have the size that was announced, although the files change', async () => {
    const { ctx, file } = folder();
    const [grows, shrinks] = await openDocuments(ctx, [file('grows.txt', 3), file('shrinks.txt', 3)]);
    file('grows.txt', 5);
    file('shrinks.txt', 2);
    const bytesOf = async (document: typeof grows): Promise<number> => {
      let bytes = 0;
      for await (const piece of document?.open() ?? []) bytes += piece.length;
      return bytes;
    };
    expect(await bytesOf(grows)).toBe(3);
    await expect(bytesOf(shrinks)).rejects.toMatchObject({ code: 'file_changed' });
  });

  it('cannot be folders or empty files', async () => {
    const { ctx, file } = folder();
    await expect(openDocuments(ctx, ['.'])).rejects.toThrow('is not a regular file');
    await expect(openDocuments(ctx, [file('empty.txt', 0)])).rejects.toThrow('empty.txt is empty');
  });
});
