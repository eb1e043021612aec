import type { Id } from '../contract/common.ts';
import { idsPerBody, idsPerPath } from '../contract/limits.ts';

/** Returns the IDs without duplicates, in groups for one request each. A body can contain more IDs than a path. */
export function idGroups(ids: readonly Id[], hasBody: boolean): readonly (readonly string[])[] {
  const unique = [...new Set(ids.map(String))];
  const size = hasBody ? idsPerBody : idsPerPath;
  return Array.from({ length: Math.ceil(unique.length / size) }, (_, index) =>
    unique.slice(index * size, (index + 1) * size),
  );
}
