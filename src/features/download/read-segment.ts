import { createGunzip } from 'node:zlib';
import { Readable } from 'node:stream';
import type { HttpReply } from '../../client/index.ts';
import { badReply, CutShort, Restart } from './download-failure.ts';
import type { PartFile } from './part-file.ts';
import type { Segment } from './part-notes.ts';
import { SegmentWriter } from './segment-writer.ts';
import type { CheckedReply, Content } from './transfer.ts';

/**
 * Reads the body of a checked reply into its segment.
 * @throws {CutShort} if the body ends early; the received bytes are stored. @throws {Restart} if the body differs from
 * the bytes on the disk.
 */
export async function readSegment(
  checked: CheckedReply,
  content: Content,
  segment: Segment,
  part: PartFile,
  onBytes: (count: number) => void,
): Promise<void> {
  const writer = new SegmentWriter(part, segment);
  const overlap = new Overlap(checked, await part.read(segment.next - checked.compare, checked.compare));
  const compressed = content.isCompressed;
  // The length of a compressed body is not the length of the content.
  const length = compressed ? undefined : checked.length;
  let seen = 0;
  let at = segment.next;
  const body = compressed ? unpack(checked.reply) : checked.reply.bytes();
  try {
    for await (const chunk of body) {
      seen += chunk.length;
      if (length !== undefined && seen > length) throw badReply('with more bytes than announced');
      const piece = upTo(segment, at, overlap.without(chunk));
      if (piece.length > 0) {
        await writer.add(piece);
        at += piece.length;
        onBytes(piece.length);
      }
      // A body whose bytes are all received is read to its end, because otherwise the connection would be
      // closed.
      const isMore = checked.length === undefined || seen < checked.length;
      if (isMore && segment.last !== undefined && at > segment.last) break;
    }
  } finally {
    await writer.flush();
  }
  const isFull = segment.last !== undefined && segment.next > segment.last;
  if (!isFull && length !== undefined && seen < length) {
    throw new CutShort('the connection closed before the content was complete');
  }
}

/** Cuts a piece at the end of the segment, because another connection reads the rest. */
function upTo({ last }: Segment, at: number, piece: Uint8Array): Uint8Array {
  return last === undefined ? piece : piece.subarray(0, Math.max(0, Math.min(last + 1 - at, piece.length)));
}

/**
 * Compares the start of a body with the bytes on the disk that it overlaps: some bytes are skipped, others must be
 * equal.
 */
class Overlap {
  readonly #known: Buffer;
  readonly #compare: number;
  #skip: number;
  #compared = 0;

  constructor({ skip, compare }: CheckedReply, known: Buffer) {
    this.#known = known;
    this.#compare = compare;
    this.#skip = skip;
  }

  /** Returns the new bytes of the next chunk. @throws {Restart} when the overlapping bytes differ. */
  without(chunk: Uint8Array): Uint8Array {
    const piece = chunk.subarray(Math.min(this.#skip, chunk.length));
    this.#skip -= chunk.length - piece.length;
    const known = Math.min(this.#compare - this.#compared, piece.length);
    if (known <= 0) return piece;
    const end = this.#compared + known;
    if (this.#known.compare(piece, 0, known, this.#compared, end) !== 0) {
      throw new Restart('the content has changed');
    }
    this.#compared = end;
    return piece.subarray(known);
  }
}

/** Yields the decompressed bytes of a body. @throws if the body is incomplete or damaged. */
async function* unpack(reply: HttpReply): AsyncGenerator<Uint8Array, void, undefined> {
  const source = Readable.from(reply.bytes(), { objectMode: false });
  const plain = createGunzip();
  source.on('error', (error) => plain.destroy(error));
  try {
    yield* source.pipe(plain) as AsyncIterable<Uint8Array>;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    throw code.startsWith('Z_') ? new CutShort('the compressed content is incomplete or damaged') : error;
  } finally {
    // `pipe` leaves the source, and thus the connection, open after damaged data.
    source.destroy();
  }
}
