import { ownProcess } from '../platform/own-process.ts';
import { ReplyError, type RequestLine } from '../errors/service.ts';
import { nextStep, ucctl } from '../errors/hint.ts';

/** Maximum size, after decompression, of a reply that is read as a whole. */
export const mostWholeBytes = 64 * 1024 * 1024;
/** A reply that is read as a whole may take this many times the timeout between two chunks. */
const wholeFactor = 10;

/** Returns the error for a reply that exceeds `mostWholeBytes`. */
export function tooLarge(status: number, { method, path }: RequestLine): ReplyError {
  const what = `more than ${mostWholeBytes / 1024 ** 2} MiB, the maximum size of a reply`;
  // The reply to a change or to a sign-in is small, so a reply of this size comes from another server.
  const hint =
    method === 'GET'
      ? nextStep`request less data at a time, such as a shorter period; for files, use ${ucctl('download')}`
      : undefined;
  return new ReplyError(status, { method, path }, what, { hint });
}

/** The error of a reply that exceeded its maximum time. The code is the same as undici's code for a body timeout. */
class SlowReply extends Error {
  override readonly name = 'SlowReply';
  readonly code = 'UND_ERR_BODY_TIMEOUT';
}

/** Limits the total time of a reply from its first byte, including interim replies (1xx). */
export class WholeBound {
  readonly #longest: number;
  #startedAt: number | undefined;

  /** @param timeoutMilliseconds timeout between two chunks; 0 for no limit. */
  constructor(timeoutMilliseconds: number) {
    this.#longest = timeoutMilliseconds * wholeFactor;
  }

  /**
   * Called for each chunk. Needs no timer, because the client already limits the time between two chunks.
   * @throws when the maximum time is exceeded.
   */
  check(): void {
    const now = ownProcess.monotonicMilliseconds();
    this.#startedAt ??= now;
    if (this.#longest > 0 && now - this.#startedAt > this.#longest) {
      throw new SlowReply(`the reply was not complete after ${this.#longest} ms`);
    }
  }
}

/** Decodes UTF-8 and removes a byte order mark. */
export function decodeText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const hasMark = buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf;
  return buffer.toString('utf8', hasMark ? 3 : 0);
}

/** Collects the bytes of a body. */
export async function collect(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  const [first] = pieces;
  return pieces.length === 1 && first ? first : Buffer.concat(pieces);
}
