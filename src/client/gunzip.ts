import { createGunzip, gunzip } from 'node:zlib';
import { promisify } from 'node:util';
import { Readable } from 'node:stream';
import { ReplyError, type RequestLine } from '../errors/service.ts';
import type { HttpReply } from './http.ts';
import { collect, decodeText, mostWholeBytes, tooLarge } from './reply-bounds.ts';

const unzip = promisify(gunzip);

/**
 * Returns the reply with its gzip body decompressed. Text has a maximum size; bytes are decompressed while they are
 * read.
 */
export function decompressed(reply: HttpReply, line: RequestLine): HttpReply {
  const broken = (cause: unknown): ReplyError =>
    new ReplyError(reply.status, line, 'a damaged gzip body', { cause });
  return {
    ...reply,
    status: reply.status,
    header: (name) => (/^content-(encoding|length)$/.test(name) ? undefined : reply.header(name)),
    async text() {
      const compressed = await collect(reply.bytes(true));
      // Some servers send Content-Encoding without a body, for instance with 204.
      if (compressed.length === 0) return '';
      try {
        return decodeText(await unzip(compressed, { maxOutputLength: mostWholeBytes }));
      } catch (error) {
        throw isTooLarge(error) ? tooLarge(reply.status, line) : broken(error);
      }
    },
    async *bytes(isWhole) {
      const source = Readable.from(reply.bytes(isWhole), { objectMode: false });
      const plain = createGunzip();
      source.on('error', (error) => plain.destroy(error));
      try {
        yield* source.pipe(plain) as AsyncIterable<Uint8Array>;
      } catch (error) {
        throw isOfZlib(error) ? broken(error) : error;
      } finally {
        // `pipe` leaves the source open if the reader stops early or the data is damaged.
        source.destroy();
      }
    },
    discard: () => reply.discard(),
  };
}

/** Whether the error is a decompression failure rather than a connection failure. */
function isOfZlib(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}
