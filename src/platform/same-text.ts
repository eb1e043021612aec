import { timingSafeEqual } from 'node:crypto';

/** Compares two texts in constant time if they have equal length. The length is not secret. */
export function sameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
