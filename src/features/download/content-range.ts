/** A parsed Content-Range header. It has a part, or in a 416 reply only the size (RFC 9110, 14.4). */
export interface ContentRange {
  /** First and last byte of the part, both included; absent in a 416. */
  readonly part?: { readonly first: number; readonly last: number };
  /** Total size in bytes; undefined if the server does not know it. */
  readonly total: number | undefined;
}

/** Parses a Content-Range header. @returns undefined for an invalid header. */
export function parseContentRange(text: string | undefined): ContentRange | undefined {
  const [, first, last, size] = /^\s*bytes\s+(?:(\d+)-(\d+)|\*)\/(\d+|\*)\s*$/i.exec(text ?? '') ?? [];
  if (size === undefined) return undefined;
  const total = size === '*' ? undefined : Number(size);
  if (first === undefined || last === undefined) return { total };
  const part = { first: Number(first), last: Number(last) };
  const isSound = part.first <= part.last && (total === undefined || part.last < total);
  return isSound ? { part, total } : undefined;
}
