import { lookupError } from '../../errors/command.ts';
import type { Lookup } from '../../runtime/lookup.ts';
import { company } from './kind.ts';

/**
 * Returns the keys of protected business hours: of the company, and of extensions. @throws {CommandError} `not_found`
 * (exit 3) for a name that is not found.
 */
export async function protectedOwners(
  directory: { extension(text: string): Promise<Lookup> },
  names: readonly string[],
): Promise<readonly string[]> {
  const keys: string[] = [];
  for (const name of names) {
    if (name.toLowerCase() === company) {
      keys.push(company);
      continue;
    }
    const lookup = await directory.extension(name);
    if (!lookup.found) throw lookupError({ ...lookup, message: `protected: ${lookup.message}` });
    keys.push(String(lookup.found.id));
  }
  return keys;
}
