import type { Context } from '../../runtime/context.ts';
import { writesDocument, type View } from '../../runtime/output.ts';

/**
 * Writes the items of a file for `NOUN plan` and `NOUN apply`: a document with the items under a key, or a table with a
 * row for each item.
 */
export async function exportItems<T extends object>(
  { out }: Context,
  key: string,
  items: readonly T[],
  view: View<T>,
): Promise<void> {
  if (writesDocument(out.format)) return out.record({ [key]: items }, { columns: [] });
  await out.list(items, view);
}
