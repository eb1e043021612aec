import type { HttpReply } from '../../client/index.ts';
import { parseContentRange } from './content-range.ts';
import type { Segment } from './part-notes.ts';
import { badReply, notMedia, Restart } from './download-failure.ts';
import { isPageType } from './sniff.ts';
import { contradicts, validatorOf } from './validator.ts';

export interface ByteRange {
  readonly first: number;
  readonly last?: number | undefined;
}

/** Sends one GET request for all of the content, or for a range with a validator. */
export type OpenContent = (
  range: ByteRange | undefined,
  ifRange: string | undefined,
  signal: AbortSignal,
) => Promise<HttpReply>;

/** The state that all connections of one file share. */
export interface Content {
  validator: string | undefined;
  contentType: string | undefined;
  total: number | undefined;
  /**
   * Whether the server compressed the content without a request for compression. Compressed content can be read only
   * from its start.
   */
  isCompressed: boolean;
  /**
   * Whether a length or chunked encoding marks the end of the content. Otherwise only the end of the connection marks
   * it.
   */
  isLengthKnown: boolean;
  /** Number of bytes in the last part that the server sent; undefined before the first part. */
  partBytes: number | undefined;
  /** Whether the last part did not state the total size, so that more parts may follow. */
  isOpenEnded: boolean;
  /** Whether the server supports ranges, so that several connections can be used. */
  takesRanges: boolean;
}

/** The state before the first reply. */
export function unknownContent(): Content {
  return {
    validator: undefined,
    contentType: undefined,
    total: undefined,
    isCompressed: false,
    isLengthKnown: false,
    partBytes: undefined,
    isOpenEnded: false,
    takesRanges: false,
  };
}

/** If a server sends parts without a validator, this many bytes before each part are read again and compared. */
const overlapBytes = 64 * 1024;

/** Returns the overlap for a server that sends parts of a size, so that most bytes of each part are new. */
function overlapOf({ validator, partBytes = Infinity }: Content): number {
  if (validator !== undefined) return 0;
  return partBytes < overlapBytes * 1.25 ? Math.floor(partBytes / 4) : overlapBytes;
}

/** A reply with checked headers, and the way to read its body. */
export interface CheckedReply {
  readonly reply: HttpReply;
  /** Number of bytes to skip at the start of the body. */
  readonly skip: number;
  /** Number of bytes after `skip` that must equal the bytes on the disk. */
  readonly compare: number;
  /** Expected length of the body; undefined if only its end marks the length. */
  readonly length: number | undefined;
}

/** Requests the missing bytes of a segment. */
export async function openSegment(
  open: OpenContent,
  content: Content,
  segment: Segment,
  signal: AbortSignal,
): Promise<CheckedReply> {
  const received = segment.next - segment.first;
  if (segment.next === 0 && segment.last === undefined) {
    return checkFirst(await open(undefined, undefined, signal), content, open, signal);
  }
  const overlap = Math.min(overlapOf(content), received);
  const range = { first: segment.next - overlap, last: segment.last };
  const reply = await open(range, content.validator, signal);
  return checkPart(reply, content, range.first, overlap);
}

/** Checks the reply to a request for the whole content, which may contain all of it or its first part (MEDIA-3). */
async function checkFirst(
  reply: HttpReply,
  content: Content,
  open: OpenContent,
  signal: AbortSignal,
): Promise<CheckedReply> {
  if (reply.status !== 206) return checkWhole(reply, content);
  const encoding = encodingOf(reply);
  if (encoding !== undefined) {
    await reply.discard();
    throw badReply(`with a part in the encoding ${encoding}, which was not requested`);
  }
  const range = parseContentRange(reply.header('content-range'));
  learn(reply, content, range?.total);
  content.takesRanges = true;
  if (range?.part?.first === 0) return part(reply, content, range.part);
  // Although no range was requested, the server sent a part other than the first. The first part is
  // therefore requested.
  await reply.discard();
  const asked = await open({ first: 0 }, undefined, signal);
  if (asked.status !== 206) return checkWhole(asked, content);
  if (!range?.part && !parseContentRange(asked.header('content-range'))?.part) {
    await asked.discard();
    throw badReply('with a part without a valid Content-Range header');
  }
  return checkPart(asked, content, 0, 0);
}

/** Checks the reply with the whole content. @throws {CommandError} `bad_reply` for a reply without the content. */
async function checkWhole(reply: HttpReply, content: Content): Promise<CheckedReply> {
  // Any other status, such as 202 or 204, means that the body is not the content.
  if (reply.status !== 200) {
    await reply.discard();
    throw badReply(`with HTTP ${reply.status} instead of the content`);
  }
  const encoding = encodingOf(reply);
  content.isCompressed = encoding === 'gzip' || encoding === 'x-gzip';
  if (!content.isCompressed && encoding !== undefined) {
    await reply.discard();
    throw badReply(`with the encoding ${encoding}, which was not requested`);
  }
  const length = readLength(reply.header('content-length'));
  learn(reply, content, content.isCompressed ? undefined : length);
  const isChunked = /chunked/i.test(reply.header('transfer-encoding') ?? '');
  // The length is known if the content is compressed, because a compressed stream shows whether it is
  // complete.
  content.isLengthKnown = length !== undefined || isChunked || content.isCompressed;
  content.takesRanges = /\bbytes\b/i.test(reply.header('accept-ranges') ?? '') && !content.isCompressed;
  return { reply, skip: 0, compare: 0, length };
}

/** Checks the reply to a range request. @throws {Restart} if the reply does not continue the bytes on the disk. */
async function checkPart(
  reply: HttpReply,
  content: Content,
  first: number,
  compare: number,
): Promise<CheckedReply> {
  const reject = async (text: string, why?: 'noRanges'): Promise<never> => {
    await reply.discard().catch(() => undefined);
    throw new Restart(text, why);
  };
  // A reply with the whole content means that the content has changed, or that the server does not support
  // ranges.
  if (reply.status !== 206) {
    return contradicts(reply, content.validator)
      ? reject('the content has changed')
      : reject('the server sent the whole content instead of a range', 'noRanges');
  }
  const range = parseContentRange(reply.header('content-range'));
  if (!range?.part)
    return reject('the server sent a partial reply without a valid Content-Range header', 'noRanges');
  if (range.part.first > first) return reject('the server sent a different range than requested', 'noRanges');
  if (encodingOf(reply) !== undefined) {
    return reject('the server sent a compressed part', 'noRanges');
  }
  const { total } = range;
  if (total !== undefined && content.total !== undefined && total !== content.total) {
    return reject('the size of the content has changed');
  }
  if (contradicts(reply, content.validator)) return reject('the content has changed');
  if (content.total === undefined) content.total = total;
  content.isLengthKnown = true;
  return { ...part(reply, content, range.part), skip: first - range.part.first, compare };
}

function part(
  reply: HttpReply,
  content: Content,
  range: { readonly first: number; readonly last: number },
): CheckedReply {
  const length = range.last - range.first + 1;
  content.partBytes = length;
  content.isOpenEnded = content.total === undefined;
  return { reply, skip: 0, compare: 0, length };
}

/** Returns the encoding of a body in lower case; undefined if the body is not encoded. */
function encodingOf(reply: HttpReply): string | undefined {
  const encoding = reply.header('content-encoding')?.trim().toLowerCase() ?? '';
  return encoding === '' || encoding === 'identity' ? undefined : encoding;
}

function learn(reply: HttpReply, content: Content, total: number | undefined): void {
  content.validator = validatorOf(reply);
  content.contentType = reply.header('content-type');
  content.total = total;
  content.isLengthKnown = total !== undefined;
}

/** Rejects a page instead of a file by its headers, and ends the reply. @throws {CommandError} `not_media`. */
export async function rejectPage(
  { reply }: CheckedReply,
  content: Content,
  expected: string | undefined,
  mayBeJson: boolean,
): Promise<void> {
  const type = content.contentType ?? '';
  if (!isPageType(expected, type, mayBeJson)) return;
  await reply.discard();
  throw notMedia(type);
}

function readLength(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text.trim()) ? Number(text) : undefined;
}
