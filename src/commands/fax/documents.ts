import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import type { FaxDocument } from '../../client/index.ts';
import { faxBytes } from '../../contract/limits.ts';
import { fileTrouble } from '../../platform/file-trouble.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, usageError } from '../../errors/command.ts';

const types: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.tif': 'image/tiff',
  '.tiff': 'image/tiff',
  '.txt': 'text/plain',
  '.csv': 'text/csv',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.xml': 'application/xml',
  '.rtf': 'application/rtf',
  '.doc': 'application/msword',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.xls': 'application/vnd.ms-excel',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.ppt': 'application/vnd.ms-powerpoint',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  '.odt': 'application/vnd.oasis.opendocument.text',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.bmp': 'image/bmp',
};

/** The documents of a fax, read while they go out. @throws {CommandError} for a file that is missing, empty, or too large with the others. */
export async function openDocuments(ctx: Context, files: readonly string[]): Promise<readonly FaxDocument[]> {
  const documents = await Promise.all(files.map((file) => toDocument(ctx, file)));
  const size = documents.reduce((sum, document) => sum + document.size, 0);
  if (size > faxBytes) {
    throw usageError(
      `the documents have ${size} bytes; at most ${faxBytes} (50 MB) can be sent`,
      'send them in several faxes',
    );
  }
  return documents;
}

async function toDocument(ctx: Context, file: string): Promise<FaxDocument> {
  const path = resolve(ctx.cwd, file);
  const size = await sizeOf(path, file);
  if (size === 0) throw usageError(`${file} is empty`);
  return {
    fileName: basename(path),
    contentType: types[extname(path).toLowerCase()] ?? 'application/octet-stream',
    size,
    async *open() {
      let count = 0;
      // Not past the size that was announced: the framing around it would be lost.
      for await (const piece of createReadStream(path, { end: size - 1 }) as AsyncIterable<Buffer>) {
        count += piece.length;
        yield piece;
      }
      if (count !== size)
        throw new CommandError('file_changed', Exit.local, `${file} became shorter while it was being sent`);
    },
  };
}

async function sizeOf(path: string, file: string): Promise<number> {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw usageError(`${file} is not a file`);
    return found.size;
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    throw new CommandError('unreadable_file', Exit.usage, `cannot read ${file}: ${fileTrouble(cause)}`, {
      cause,
    });
  }
}
