import { lookupError } from '../../errors/command.ts';
import type { Directory } from './directory.ts';

/**
 * Returns the IDs of protected agents, without duplicates. @throws {CommandError} `not_found` (exit 3) for a name that
 * is not found.
 */
export async function protectedAgents(
  directory: Pick<Directory, 'agent'>,
  names: readonly string[],
): Promise<readonly string[]> {
  const ids = new Set<string>();
  for (const name of names) {
    const lookup = await directory.agent(name);
    if (!lookup.found) throw lookupError({ ...lookup, message: `protected agent: ${lookup.message}` });
    ids.add(String(lookup.found.id));
  }
  return [...ids];
}
