import { createGunzip, gunzip } from 'node:zlib';
import { promisify } from 'node:util';
import { Readable } from 'node:stream';
import type { HttpReply } from './http.ts';

/** No reply of the service comes near; what is larger is a fault or an attack. */
const mostBytes = 512 * 1024 * 1024;
const unzip = promisify(gunzip);

/**
 * The reply with its body unpacked. Text is bounded in size; bytes are unpacked as they are read.
 * @param broken makes the error for a body that cannot be unpacked.
 */
export function unpacked(reply: HttpReply, broken: (cause: unknown) => Error): HttpReply {
  return {
    ...reply,
    status: reply.status,
    header: (name) => (/^content-(encoding|length)$/.test(name) ? undefined : reply.header(name)),
    async text() {
      const pieces: Uint8Array[] = [];
      for await (const piece of reply.bytes()) pieces.push(piece);
      // Nothing, as a 204 has it: some servers name their packing all the same.
      if (pieces.every(({ length }) => length === 0)) return '';
      try {
        const whole = await unzip(Buffer.concat(pieces), { maxOutputLength: mostBytes });
        return whole.toString('utf8');
      } catch (error) {
        throw broken(error);
      }
    },
    async *bytes() {
      const source = Readable.from(reply.bytes(), { objectMode: false });
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
