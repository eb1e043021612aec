import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PathSources, resolvePaths } from '../config/paths.ts';
import { type KnownOwner, type KnownValue, readKnownValues } from '../platform/known-values.ts';
import type { OfferedValues } from '../runtime/command-description.ts';
import type { ValueKind } from '../cli/value-kind.ts';
import type { GivenValues } from './complete.ts';

interface Config {
  readonly current?: unknown;
  readonly profiles?: Readonly<
    Record<string, { readonly baseUrl?: unknown; readonly dialect?: unknown } | undefined>
  >;
}

/** Reads profiles from the config file, and other values from the cache that earlier commands wrote for this profile and address. Sends no requests. */
export function liveValues(system: PathSources, kind: ValueKind, given: GivenValues): readonly KnownValue[] {
  if (kind === 'profiles') {
    return Object.entries(configOf(system).profiles ?? {}).map(([value, one]) => ({
      value,
      about: textOf(one?.baseUrl),
    }));
  }
  const place = cachePlace(system, given);
  return place ? (readKnownValues(place.folder, place.owner)[kind] ?? []) : [];
}

/** The cache folder, and the owner of the values for a command line. */
export interface CachePlace {
  readonly folder: string;
  readonly owner: KnownOwner;
}

/** Returns the place of the cached values for the profile and address of a command line. Undefined without an address. */
export function cachePlace(system: PathSources, given: GivenValues): CachePlace | undefined {
  const folder = pathsOf(system)?.cache;
  const { env } = system;
  const { profile, settings } = profileOf(system, given);
  const baseUrl = given.get('--base-url') ?? (env['UCCTL_BASE_URL'] || textOf(settings?.baseUrl) || '');
  if (folder === undefined || !URL.canParse(baseUrl)) return undefined;
  return { folder, owner: { profile, origin: new URL(baseUrl).origin } };
}

/** Returns the dialect of a command line, from its flag, the environment or the profile. */
export function dialectOf(system: PathSources, given: GivenValues): keyof OfferedValues {
  const name = given.get('--dialect') ?? (system.env['UCCTL_DIALECT'] || undefined);
  return (name ?? profileOf(system, given).settings?.dialect) === 'current' ? 'current' : 'spec';
}

function profileOf(system: PathSources, given: GivenValues) {
  const { current, profiles = {} } = configOf(system);
  const profile = given.get('--profile') ?? (system.env['UCCTL_PROFILE'] || textOf(current) || 'default');
  return { profile, settings: profiles[profile] };
}

const serviceFlagNames = ['--profile', '--base-url', '--dialect', '--store', '--proxy', '--ca-file'] as const;

/** Returns the flags of a command line that select the profile, the service and the connection to it. */
export function serviceFlags(given: GivenValues): readonly string[] {
  return serviceFlagNames.flatMap((name) => {
    const value = given.get(name);
    return value === undefined ? [] : [name, value];
  });
}

function configOf(system: PathSources): Config {
  const folder = pathsOf(system)?.config;
  return folder === undefined ? {} : readConfig(join(folder, 'config.json'));
}

/** Returns the folders of the user. Undefined without a home folder, because completion must not report errors. */
function pathsOf(system: PathSources): ReturnType<typeof resolvePaths> | undefined {
  try {
    return resolvePaths(system);
  } catch {
    return undefined;
  }
}

function readConfig(file: string): Config {
  try {
    // Editors on Windows write a byte order mark.
    return JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')) as Config;
  } catch {
    // Returns no values for a missing or damaged file, because completion must not report errors.
    return {};
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
