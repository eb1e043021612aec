/** What Content-Range says: a part, or, with a 416, the size alone (RFC 9110, 14.4). */
export interface ContentRange {
  /** Both ends included; absent in a 416. */
  readonly part?: { readonly first: number; readonly last: number };
  /** Undefined where the server does not know it. */
  readonly total: number | undefined;
}

/** @returns undefined for what is no such header, or contradicts itself. */
export function parseContentRange(text: string | undefined): ContentRange | undefined {
  const [, first, last, size] = /^\s*bytes\s+(?:(\d+)-(\d+)|\*)\/(\d+|\*)\s*$/i.exec(text ?? '') ?? [];
  if (size === undefined) return undefined;
  const total = size === '*' ? undefined : Number(size);
  if (first === undefined || last === undefined) return { total };
  const part = { first: Number(first), last: Number(last) };
  const isSound = part.first <= part.last && (total === undefined || part.last < total);
  return isSound ? { part, total } : undefined;
}
