import type { Extension } from '../../contract/extension.ts';
import { lookupError } from '../../errors/command.ts';
import type { Directory } from './directory.ts';

/**
 * Finds queues by name, each queue once; without names, returns every queue of the account.
 * @throws {CommandError} for a name that is not found or ambiguous.
 */
export async function namedQueues(
  directory: Directory,
  names: readonly string[],
): Promise<readonly Extension[]> {
  if (names.length === 0) return (await directory.all()).filter(({ type }) => type === 'Department');
  const found = new Set<Extension>();
  for (const name of names) {
    const lookup = await directory.queue(name);
    if (!lookup.found) throw lookupError(lookup);
    found.add(lookup.found);
  }
  return [...found];
}
