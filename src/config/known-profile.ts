import type { Paths } from '../runtime/context.ts';
import type { Settings } from '../runtime/settings.ts';
import { CommandError, Exit } from '../errors/command.ts';
import { type Hint, nextStep, ucctl } from '../errors/hint.ts';
import { readConfigFile } from './config-file.ts';

/** What makes profiles, tells about them, or reports that one is missing; and the sandbox, which needs none. */
const needNone = new Set(['init', 'login', 'profile', 'doctor', 'sandbox']);

/**
 * Keeps a mistyped profile from working with another address or with nobody's session.
 * @throws {CommandError} `no_such_profile` (exit 2) when flag or variable name one that is not in the config file.
 */
export async function requireKnownProfile(
  settings: Settings,
  paths: Paths,
  command: readonly string[],
): Promise<void> {
  if (needNone.has(command[0] ?? '')) return;
  const missing = await missingProfile(settings, paths);
  if (missing === undefined) return;
  throw new CommandError('no_such_profile', Exit.usage, missing.text, { hint: missing.hint });
}

/** What to say of a profile that was named and is not there; undefined when all is well. */
export async function missingProfile(
  { profile }: Settings,
  paths: Paths,
): Promise<{ readonly text: string; readonly hint: Hint } | undefined> {
  if (profile.origin !== 'flag' && profile.origin !== 'environment') return undefined;
  const { profiles } = await readConfigFile(paths);
  if (Object.hasOwn(profiles, profile.value)) return undefined;
  const names = Object.keys(profiles).sort();
  const known = names.length > 0 ? `there are: ${names.join(', ')}` : 'there are none yet';
  return {
    text: `there is no profile "${profile.value}" (named by ${profile.source}); ${known}`,
    hint: nextStep`to make it: ${ucctl(`profile add ${profile.value} --base-url URL`)}, or ${ucctl(`login -p ${profile.value} --base-url URL`)}`,
  };
}
