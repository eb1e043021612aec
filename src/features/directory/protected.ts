import { lookupError } from '../../errors/command.ts';
import { company, type Lookup } from '../../runtime/lookup.ts';
import type { Directory } from './directory.ts';

/** The names of protected entries. */
export interface ProtectedNames {
  /** The names of `--protect`, all of which are entries that the command can change. */
  readonly option: readonly string[];
  /** The names of the protect setting, which all commands share: agents, queues, and the company. */
  readonly setting: readonly string[];
}

/**
 * Returns the IDs of protected agents, without duplicates. Names in the setting that are not agents, but queues or the
 * company, are for other commands.
 * @throws {CommandError} `not_found` (exit 3) or `ambiguous_name` (exit 2) for a name that is not one extension
 */
export async function protectedAgents(
  directory: Pick<Directory, 'agent' | 'extension'>,
  { option, setting }: ProtectedNames,
): Promise<readonly string[]> {
  const ids = new Set<string>();
  for (const name of option) ids.add(idOf('protected agent', await directory.agent(name)));
  for (const name of setting) {
    if (name.toLowerCase() === company) continue;
    const agent = await directory.agent(name);
    const other = agent.found ? agent : await directory.extension(name);
    ids.add(idOf('protected agent', other.found ? other : agent));
  }
  return [...ids];
}

/**
 * Returns the keys of protected business hours, without duplicates: of the company, and of extensions.
 * @throws {CommandError} `not_found` (exit 3) or `ambiguous_name` (exit 2) for a name that is not one extension
 */
export async function protectedOwners(
  directory: Pick<Directory, 'extension'>,
  { option, setting }: ProtectedNames,
): Promise<readonly string[]> {
  const keys = new Set<string>();
  for (const name of [...option, ...setting]) {
    const isCompany = name.toLowerCase() === company;
    keys.add(isCompany ? company : idOf('protected', await directory.extension(name)));
  }
  return [...keys];
}

function idOf(what: string, lookup: Lookup): string {
  if (!lookup.found) throw lookupError({ ...lookup, message: `${what}: ${lookup.message}` });
  return String(lookup.found.id);
}
