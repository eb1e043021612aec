import { ownProcess } from '../platform/own-process.ts';
import { ReplyError, type RequestLine } from '../errors/service.ts';
import { nextStep, ucctl } from '../errors/hint.ts';

/** Most bytes of a reply that is read whole, after unpacking. */
export const mostWholeBytes = 64 * 1024 * 1024;
/** A reply that is read whole may take this many times the longest wait for one byte of it. */
const wholeFactor = 10;

/** The error for a reply that is larger than what is read whole. */
export function tooLarge(status: number, { method, path }: RequestLine): ReplyError {
  const what = `more than ${mostWholeBytes / 1024 ** 2} MiB, the limit for a reply that is read whole`;
  const hint = nextStep`ask for less at a time, such as a shorter period; files come by ${ucctl('download')}`;
  return new ReplyError(status, { method, path }, what, { hint });
}

/** A reply took longer than it may. The code is that of undici for a body in which no byte comes. */
class SlowReply extends Error {
  override readonly name = 'SlowReply';
  readonly code = 'UND_ERR_BODY_TIMEOUT';
}

/** Bounds the whole of a reply in time, from its first byte on; interim replies (1xx) are part of it. */
export class WholeBound {
  readonly #longest: number;
  #startedAt: number | undefined;

  /** `timeoutMilliseconds`: longest wait for one byte; 0 for none, which bounds nothing. */
  constructor(timeoutMilliseconds: number) {
    this.#longest = timeoutMilliseconds * wholeFactor;
  }

  /** Called whenever a part came. No timer is needed: in between, the longest wait for one byte holds. @throws when the time is over. */
  check(): void {
    const now = ownProcess.monotonicMilliseconds();
    this.#startedAt ??= now;
    if (this.#longest > 0 && now - this.#startedAt > this.#longest) {
      throw new SlowReply(`the reply did not end within ${this.#longest} ms`);
    }
  }
}

/** Decodes UTF-8, without the mark that some servers put before it. */
export function decodeText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const hasMark = buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf;
  return buffer.toString('utf8', hasMark ? 3 : 0);
}

/** All bytes of a body in one. */
export async function collect(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  const [first] = pieces;
  return pieces.length === 1 && first ? first : Buffer.concat(pieces);
}
