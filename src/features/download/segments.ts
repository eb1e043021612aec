import { isRejectedWith } from '../../errors/service.ts';
import { parseContentRange } from './content-range.ts';
import type { Segment } from './part-notes.ts';
import type { Content } from './transfer.ts';

/** Minimum size in bytes of a file that is downloaded with several connections. */
const splitBytes = 32 * 1024 * 1024;

/**
 * Splits a large file into one segment per connection; `first` becomes the first segment. There are few segments,
 * because each request counts toward the rate limit.
 */
export function splitLargeFile(
  first: Segment,
  { total, takesRanges, validator }: Content,
  connections: number,
): Segment[] {
  if (total === undefined) return [first];
  first.last = total - 1;
  const count = Math.min(connections, Math.ceil(total / (splitBytes / 4)));
  if (!takesRanges || validator === undefined || total < splitBytes || count < 2) return [first];
  const size = Math.ceil(total / count);
  first.last = Math.min(total, size) - 1;
  const others = Array.from({ length: count - 1 }, (_, index) => ({
    first: (index + 1) * size,
    next: (index + 1) * size,
    last: Math.min(total, (index + 2) * size) - 1,
  }));
  return [first, ...others];
}

/** Returns the number of stored bytes. */
export function receivedBytes(segments: readonly Segment[]): number {
  return segments.reduce((sum, { first, next }) => sum + next - first, 0);
}

/** Whether all bytes of a segment are stored. */
export function isFull({ next, last }: Segment): boolean {
  return last !== undefined && next > last;
}

/** Whether the service rejected the range of a request (416). */
export function isRangeRejected(error: unknown): boolean {
  return isRejectedWith(error, 416);
}

/**
 * Whether a 416 confirms that no bytes are missing. It must report exactly the stored size. After parts without a total
 * size, it may also report no size.
 */
export function isComplete(error: unknown, segment: Segment, { isOpenEnded }: Content): boolean {
  if (!isRangeRejected(error) || segment.next === 0) return false;
  const range = parseContentRange((error as { readonly contentRange?: string }).contentRange);
  const isEnd = range?.total === undefined ? isOpenEnded : range.total === segment.next;
  return isEnd && (segment.last === undefined || isFull(segment));
}
