import { createGunzip } from 'node:zlib';
import { Readable } from 'node:stream';
import type { HttpReply } from '../../client/index.ts';
import { parseContentRange } from './content-range.ts';
import type { PartFile, Segment } from './part-file.ts';
import { SegmentWriter } from './segment-writer.ts';
import { badReply, CutShort, notMedia, Restart } from './trouble.ts';
import { contradicts, validatorOf } from './validator.ts';

export interface ByteRange {
  readonly first: number;
  readonly last?: number | undefined;
}

/** One GET of the content: whole, or a range that is bound to a validator. */
export type OpenContent = (
  range: ByteRange | undefined,
  ifRange: string | undefined,
  signal: AbortSignal,
) => Promise<HttpReply>;

/** What all connections of one file share. */
export interface Content {
  validator: string | undefined;
  contentType: string | undefined;
  total: number | undefined;
  /** The server packed it although asked not to: it can be read from the start only. */
  isPacked: boolean;
  /** Its end was told by a length or by chunks, and not only by the end of the connection. */
  isLengthKnown: boolean;
  /** Whether it can be read in parts by several connections. */
  takesRanges: boolean;
}

/** A content of which nothing is known yet. */
export function unknownContent(): Content {
  return {
    validator: undefined,
    contentType: undefined,
    total: undefined,
    isPacked: false,
    isLengthKnown: false,
    takesRanges: false,
  };
}

/** Where a server gives parts only and no validator, this many bytes before each part are read again and compared. */
const overlapBytes = 64 * 1024;

/** A reply whose headers have been judged: where its body goes. */
export interface Judged {
  readonly reply: HttpReply;
  /** Bytes of the body before the first that is wanted. */
  readonly skip: number;
  /** Bytes that must equal those already there, after `skip`. */
  readonly compare: number;
  /** Bytes that the body must have in all; undefined when its end decides. */
  readonly length: number | undefined;
}

/** Asks for what is missing of a segment. */
export async function openSegment(
  open: OpenContent,
  content: Content,
  segment: Segment,
  signal: AbortSignal,
): Promise<Judged> {
  const held = segment.next - segment.first;
  if (segment.next === 0 && segment.last === undefined) {
    return judgeFirst(await open(undefined, undefined, signal), content, open, signal);
  }
  const overlap = content.validator === undefined ? Math.min(overlapBytes, held) : 0;
  const range = { first: segment.next - overlap, last: segment.last };
  const reply = await open(range, content.validator, signal);
  return judgePart(reply, content, range.first, overlap);
}

/** The reply to a request for the whole: all of it, or its first part (MEDIA-3). */
async function judgeFirst(
  reply: HttpReply,
  content: Content,
  open: OpenContent,
  signal: AbortSignal,
): Promise<Judged> {
  if (reply.status !== 206) return judgeWhole(reply, content);
  const range = parseContentRange(reply.header('content-range'));
  learn(reply, content, range?.total);
  content.takesRanges = true;
  if (range?.part?.first === 0) return part(reply, range.part, 0, 0);
  // Another part than the first, unasked: then the first is asked for.
  await reply.discard();
  const asked = await open({ first: 0 }, undefined, signal);
  if (asked.status !== 206) return judgeWhole(asked, content);
  return judgePart(asked, content, 0, 0);
}

function judgeWhole(reply: HttpReply, content: Content): Judged {
  const encoding = reply.header('content-encoding')?.trim().toLowerCase() ?? 'identity';
  content.isPacked = encoding === 'gzip' || encoding === 'x-gzip';
  if (!content.isPacked && encoding !== 'identity' && encoding !== '') {
    throw badReply(`with the encoding ${encoding}, which was not asked for`);
  }
  const length = readLength(reply.header('content-length'));
  learn(reply, content, content.isPacked ? undefined : length);
  const isChunked = /chunked/i.test(reply.header('transfer-encoding') ?? '');
  // A packed file tells by its own end whether it is whole.
  content.isLengthKnown = length !== undefined || isChunked || content.isPacked;
  content.takesRanges = /\bbytes\b/i.test(reply.header('accept-ranges') ?? '') && !content.isPacked;
  return { reply, skip: 0, compare: 0, length };
}

/** The answer to a request for a range. @throws {Restart} when it does not continue what is there. */
async function judgePart(
  reply: HttpReply,
  content: Content,
  first: number,
  compare: number,
): Promise<Judged> {
  const refuse = async (why: string): Promise<never> => {
    await reply.discard().catch(() => undefined);
    throw new Restart(why);
  };
  // The whole: the server knows no ranges, or the content is another one now.
  if (reply.status !== 206) return refuse('the content is another one now');
  const range = parseContentRange(reply.header('content-range'));
  if (!range?.part) return refuse('a part came that does not say which');
  if (range.part.first > first) return refuse('another part came than was asked for');
  if (reply.header('content-encoding') && reply.header('content-encoding') !== 'identity') {
    return refuse('a packed part came');
  }
  const { total } = range;
  if (total !== undefined && content.total !== undefined && total !== content.total) {
    return refuse('the content has another size now');
  }
  if (contradicts(reply, content.validator)) return refuse('the content is another one now');
  if (content.total === undefined) content.total = total;
  content.isLengthKnown = true;
  return part(reply, range.part, first - range.part.first, compare);
}

function part(
  reply: HttpReply,
  range: { readonly first: number; readonly last: number },
  skip: number,
  compare: number,
): Judged {
  return { reply, skip, compare, length: range.last - range.first + 1 };
}

function learn(reply: HttpReply, content: Content, total: number | undefined): void {
  content.validator = validatorOf(reply);
  content.contentType = reply.header('content-type');
  content.total = total;
  content.isLengthKnown = total !== undefined;
}

/**
 * Reads the body of a judged reply into its segment.
 * @throws {CutShort} when it ends early: what came is kept. @throws {Restart} when it does not equal what is there.
 */
export async function readSegment(
  judged: Judged,
  content: Content,
  segment: Segment,
  part: PartFile,
  onBytes: (count: number) => void,
): Promise<void> {
  const writer = new SegmentWriter(part, segment);
  const overlap = new Overlap(judged, await part.read(segment.next - judged.compare, judged.compare));
  const packed = content.isPacked;
  // The length of a packed body says nothing about the bytes that come out of it.
  const length = packed ? undefined : judged.length;
  let seen = 0;
  let at = segment.next;
  const body = packed ? unpack(judged.reply) : judged.reply.bytes();
  try {
    for await (const chunk of body) {
      seen += chunk.length;
      if (length !== undefined && seen > length) throw badReply('with more than it announced');
      const piece = upTo(segment, at, overlap.without(chunk));
      if (piece.length > 0) {
        await writer.add(piece);
        at += piece.length;
        onBytes(piece.length);
      }
      // A body of which all came is read to its end, or its connection would be closed.
      const isMore = judged.length === undefined || seen < judged.length;
      if (isMore && segment.last !== undefined && at > segment.last) break;
    }
  } finally {
    await writer.flush();
  }
  const isFull = segment.last !== undefined && segment.next > segment.last;
  if (!isFull && length !== undefined && seen < length) {
    throw new CutShort('the connection ended before the content did');
  }
}

/** Another connection has what follows the segment. */
function upTo({ last }: Segment, at: number, piece: Uint8Array): Uint8Array {
  return last === undefined ? piece : piece.subarray(0, Math.max(0, Math.min(last + 1 - at, piece.length)));
}

/** The beginning of a body that is there already: some of it is skipped, and some must equal the bytes before the segment. */
class Overlap {
  readonly #known: Buffer;
  readonly #compare: number;
  #skip: number;
  #compared = 0;

  constructor({ skip, compare }: Judged, known: Buffer) {
    this.#known = known;
    this.#compare = compare;
    this.#skip = skip;
  }

  /** What of the next chunk is new. @throws {Restart} when the rest is not what is there. */
  without(chunk: Uint8Array): Uint8Array {
    const piece = chunk.subarray(Math.min(this.#skip, chunk.length));
    this.#skip -= chunk.length - piece.length;
    const known = Math.min(this.#compare - this.#compared, piece.length);
    if (known <= 0) return piece;
    const end = this.#compared + known;
    if (this.#known.compare(piece, 0, known, this.#compared, end) !== 0) {
      throw new Restart('the content is another one now');
    }
    this.#compared = end;
    return piece.subarray(known);
  }
}

/** The bytes of a packed body. A cut one ends in an error. */
async function* unpack(reply: HttpReply): AsyncGenerator<Uint8Array, void, undefined> {
  const source = Readable.from(reply.bytes(), { objectMode: false });
  const plain = createGunzip();
  source.on('error', (error) => plain.destroy(error));
  try {
    yield* source.pipe(plain) as AsyncIterable<Uint8Array>;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    throw code.startsWith('Z_') ? new CutShort('the packed content is cut or damaged') : error;
  }
}

/** @throws {CommandError} `not_media` when the headers say that a page came in place of a file. */
export function refusePage(content: Content, expected: string | undefined): void {
  const type = content.contentType ?? '';
  const isText = /^(text\/|application\/(json|xml))/i.test(expected ?? '');
  if (!isText && /^(text\/html|application\/json)\b/i.test(type)) throw notMedia(type);
}

function readLength(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text.trim()) ? Number(text) : undefined;
}
