import type { Paths } from '../runtime/context.ts';
import type { Settings } from '../runtime/settings.ts';
import { CommandError, Exit } from '../errors/command.ts';
import { type Hint, nextStep, ucctl } from '../errors/hint.ts';
import { readConfigFile } from './config-file.ts';
import { requireDistinctName } from './profile-name.ts';

/** Commands that create, show or check profiles, and the sandbox, which uses none. */
const exempt = new Set(['init', 'login', 'profile', 'doctor', 'sandbox']);

/** Commands that create the profile of the run. They store a session first, so its files are checked before. */
const creating = new Set(['init', 'login']);

/**
 * Rejects an unknown profile name, so that a typing error does not run a command with default settings.
 * @throws {CommandError} `no_such_profile` (exit 2) if a flag or a variable names a profile that is not in the config file;
 * `profile_exists` (exit 11) if a sign-in would create a profile whose name differs from another name only in case.
 */
export async function requireKnownProfile(
  settings: Settings,
  paths: Paths,
  command: readonly string[],
): Promise<void> {
  const [noun = ''] = command;
  if (creating.has(noun)) requireDistinctName((await readConfigFile(paths)).profiles, settings.profile.value);
  if (exempt.has(noun)) return;
  const missing = await missingProfile(settings, paths);
  if (missing === undefined) return;
  throw new CommandError('no_such_profile', Exit.usage, missing.text, { hint: missing.hint });
}

/** Returns the message and the hint for a named profile that does not exist; undefined if the profile exists or no profile was named. */
export async function missingProfile(
  { profile }: Settings,
  paths: Paths,
): Promise<{ readonly text: string; readonly hint: Hint } | undefined> {
  if (profile.origin !== 'flag' && profile.origin !== 'environment') return undefined;
  const { profiles } = await readConfigFile(paths);
  if (Object.hasOwn(profiles, profile.value)) return undefined;
  const names = Object.keys(profiles).sort();
  const known = names.length > 0 ? `existing profiles: ${names.join(', ')}` : 'there are no profiles yet';
  return {
    text: `profile "${profile.value}" (from ${profile.source}) not found; ${known}`,
    hint: nextStep`to create it: ${ucctl`profile add ${profile.value} --base-url URL`}, or ${ucctl`login -p ${profile.value} --base-url URL`}`,
  };
}
