import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PathSources, resolvePaths } from '../config/paths.ts';
import { type KnownValue, readKnownValues } from '../platform/known-values.ts';
import type { ValueKind } from './value-kind.ts';

interface Config {
  readonly current?: unknown;
  readonly profiles?: Readonly<Record<string, { readonly baseUrl?: unknown } | undefined>>;
}

/** Profiles from the config file; the rest from what earlier commands listed for this profile and address. Never asks the service. */
export function liveValues(
  system: PathSources,
  kind: ValueKind,
  words: readonly string[],
): readonly KnownValue[] {
  const paths = pathsOf(system);
  if (!paths) return [];
  const { config: configFolder, cache } = paths;
  const config = readConfig(join(configFolder, 'config.json'));
  const profiles = config.profiles ?? {};
  if (kind === 'profiles') {
    return Object.entries(profiles).map(([value, one]) => ({ value, about: textOf(one?.baseUrl) }));
  }
  const { env } = system;
  const profile =
    flagValue(words, '--profile', '-p') ?? (env['UCCTL_PROFILE'] || textOf(config.current) || 'default');
  const baseUrl =
    flagValue(words, '--base-url') ?? (env['UCCTL_BASE_URL'] || textOf(profiles[profile]?.baseUrl) || '');
  if (!URL.canParse(baseUrl)) return [];
  return readKnownValues(cache, { profile, origin: new URL(baseUrl).origin })[kind] ?? [];
}

/** A Tab is no place to say that there is no home folder. */
function pathsOf(system: PathSources): ReturnType<typeof resolvePaths> | undefined {
  try {
    return resolvePaths(system);
  } catch {
    return undefined;
  }
}

function readConfig(file: string): Config {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Config;
  } catch {
    // Missing or broken: a Tab is no place to say so.
    return {};
  }
}

function flagValue(words: readonly string[], ...names: readonly string[]): string | undefined {
  const joined = words.find((word) => names.some((name) => word.startsWith(`${name}=`)));
  if (joined !== undefined) return joined.slice(joined.indexOf('=') + 1);
  const at = words.findIndex((word) => names.includes(word));
  return at === -1 ? undefined : words[at + 1];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
