import { createGunzip, gunzip } from 'node:zlib';
import { promisify } from 'node:util';
import { Readable } from 'node:stream';
import { ReplyError, type RequestLine } from '../errors/service.ts';
import type { HttpReply } from './http.ts';
import { collect, decodeText, mostWholeBytes, tooLarge } from './reply-bounds.ts';

const unzip = promisify(gunzip);

/** The reply with its body unpacked. Text is bounded in size; bytes are unpacked as they are read. */
export function unpacked(reply: HttpReply, line: RequestLine): HttpReply {
  const broken = (cause: unknown): ReplyError =>
    new ReplyError(reply.status, line, 'a packed body that cannot be unpacked', { cause });
  return {
    ...reply,
    status: reply.status,
    header: (name) => (/^content-(encoding|length)$/.test(name) ? undefined : reply.header(name)),
    async text() {
      const packed = await collect(reply.bytes(true));
      // Nothing, as a 204 has it: some servers name their packing all the same.
      if (packed.length === 0) return '';
      try {
        return decodeText(await unzip(packed, { maxOutputLength: mostWholeBytes }));
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
      }
    },
    discard: () => reply.discard(),
  };
}

/** What broke is the packing and not the connection. */
function isOfZlib(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}
