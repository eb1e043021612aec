import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import type { FaxDocument } from '../../client/index.ts';
import { faxBytes, mmsBytes, mmsFiles } from '../../contract/limits.ts';
import { fileFailureReason } from '../../platform/file-failure.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, usageError } from '../../errors/command.ts';
import { lookupTable } from '../../platform/lookup-table.ts';

/** Content types of the documents of a fax, by extension. */
const types: Readonly<Record<string, string>> = lookupTable({
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
});

/** Content types of the files of a text, by extension. */
const mediaTypes: Readonly<Record<string, string>> = lookupTable({
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.bmp': 'image/bmp',
  '.gif': 'image/gif',
  '.tif': 'image/tiff',
  '.tiff': 'image/tiff',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.3gp': 'video/3gpp',
  '.mp4': 'video/mp4',
  '.m4v': 'video/mp4',
  '.mpg': 'video/mpeg',
  '.mpeg': 'video/mpeg',
  '.avi': 'video/avi',
  '.flv': 'video/x-flv',
  '.wmv': 'video/x-ms-wmv',
  '.mov': 'video/quicktime',
  '.webm': 'video/webm',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.oga': 'audio/ogg',
  '.wav': 'audio/wav',
  '.vcf': 'text/vcard',
  '.ics': 'text/calendar',
  '.txt': 'text/plain',
  '.csv': 'text/csv',
  '.html': 'text/html',
  '.pdf': 'application/pdf',
  '.rtf': 'application/rtf',
  '.zip': 'application/zip',
  '.gz': 'application/gzip',
});

/**
 * Returns the documents of a fax; their bytes are read while the request is sent. @throws {CommandError} for a missing
 * or empty file, or above the total size limit.
 */
export async function openDocuments(ctx: Context, files: readonly string[]): Promise<readonly FaxDocument[]> {
  const documents = await Promise.all(
    files.map((file) => toDocument(ctx, file, typeOf(file, types) ?? 'application/octet-stream')),
  );
  const size = totalSize(documents);
  if (size > faxBytes) {
    throw usageError(
      `the documents have ${size} bytes, but a fax can have at most ${faxBytes} (50 MB)`,
      'send the documents in several faxes',
    );
  }
  return documents;
}

/**
 * Returns the files of a text (SMS-9).
 * @throws {CommandError} for a missing or empty file, a type that cannot be sent, or above the limits.
 */
export async function openAttachments(
  ctx: Context,
  files: readonly string[],
): Promise<readonly FaxDocument[]> {
  if (files.length > mmsFiles)
    throw usageError(
      `--attach is used ${files.length} times, but a text can have at most ${mmsFiles} files`,
      'send the files in several texts',
    );
  const attachments = await Promise.all(
    files.map((file) => {
      const type = typeOf(file, mediaTypes);
      if (type !== undefined) return toDocument(ctx, file, type);
      throw usageError(
        `--attach ${file}: this file type cannot be sent with a text`,
        `use a file with one of these extensions: ${Object.keys(mediaTypes).join(' ')}`,
      );
    }),
  );
  const size = totalSize(attachments);
  if (size > mmsBytes)
    throw usageError(
      `the files have ${size} bytes, but a text can have at most ${mmsBytes} (1.5 MB)`,
      'send smaller files, or send them in several texts',
    );
  return attachments;
}

function typeOf(file: string, known: Readonly<Record<string, string>>): string | undefined {
  return known[extname(file).toLowerCase()];
}

function totalSize(documents: readonly FaxDocument[]): number {
  return documents.reduce((sum, { size }) => sum + size, 0);
}

async function toDocument(ctx: Context, file: string, contentType: string): Promise<FaxDocument> {
  const path = resolve(ctx.cwd, file);
  const size = await sizeOf(path, file);
  if (size === 0) throw usageError(`${file} is empty`, 'nothing was sent; specify a file that is not empty');
  return {
    fileName: basename(path),
    contentType,
    size,
    async *open() {
      let count = 0;
      // Reads at most the announced size, because further bytes would break the multipart body.
      const pieces = createReadStream(path, { end: size - 1 }) as AsyncIterable<Buffer>;
      try {
        for await (const piece of pieces) {
          count += piece.length;
          yield piece;
        }
      } catch (error) {
        throw unreadable(file, error);
      }
      if (count !== size)
        throw new CommandError('file_changed', Exit.local, `${file} became shorter during the transfer`, {
          hint: 'nothing was sent; wait until no other program changes the file, then retry',
        });
    },
  };
}

async function sizeOf(path: string, file: string): Promise<number> {
  try {
    const found = await stat(path);
    if (!found.isFile())
      throw usageError(`${file} is not a regular file`, 'specify a document, such as a PDF file');
    return found.size;
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    throw unreadable(file, cause);
  }
}

function unreadable(file: string, cause: unknown): CommandError {
  return new CommandError('unreadable_file', Exit.usage, `cannot read ${file}: ${fileFailureReason(cause)}`, {
    hint: 'nothing was sent; check the path and the permissions of the file',
    cause,
  });
}
