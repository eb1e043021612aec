import { titleOf } from '../../runtime/with-number.ts';
import type { Directory } from './directory.ts';

/**
 * Returns the present title of the extension that a change of a saved plan changes. The title is undefined if there is no
 * such extension, or if the key of the change, by which its settings are read, refers to another one.
 */
export async function presentTitle(
  directory: Directory,
  { id, key }: { readonly id: string | null; readonly key: string },
): Promise<string | undefined> {
  const found = id === key ? await directory.byId(key) : undefined;
  return found && titleOf(found);
}
