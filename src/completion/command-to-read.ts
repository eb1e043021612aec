import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ValueKind } from '../cli/value-kind.ts';
import type { PathSources } from '../config/paths.ts';
import {
  attemptFile,
  isOwnCache,
  readableKinds,
  readKnownValues,
  type ReadableKind,
} from '../platform/known-values.ts';
import type { GivenValues } from './complete.ts';
import { cachePlace, serviceFlags } from './live-values.ts';
import { entryAt } from '../platform/entry-at.ts';

/** Milliseconds between two attempts to read names. */
const attemptInterval = 60_000;

/** The commands that read and cache a complete list, by the kind of its values. */
const commands: Readonly<Record<ReadableKind, readonly string[]>> = {
  agents: ['agent', 'list'],
  queues: ['queue', 'list'],
};

/** Flags that limit the time of the command, so that it sends each request only once. */
const bounds = [
  '--output',
  'ndjson',
  '--no-input',
  '--quiet',
  '--retry',
  '0',
  '--max-wait',
  '1s',
  '--timeout',
  '5s',
];

/** Returns the words of the command that reads values of a kind, if no list of them is cached. Records the attempt. */
export function commandToRead(
  system: PathSources & { readonly now: number },
  kind: ValueKind,
  given: GivenValues,
): readonly string[] | undefined {
  const readable = readableKinds.find((one) => one === kind);
  const place = readable && cachePlace(system, given);
  if (!place || readKnownValues(place.folder, place.owner)[kind] !== undefined) return undefined;
  const file = attemptFile(place.folder, place.owner.profile, readable);
  if (!isOwnCache(place.folder, file) || !beginAttempt(file, system.now)) return undefined;
  return [...commands[readable], ...serviceFlags(given), ...bounds];
}

/**
 * Records an attempt. Returns false after a recent attempt, or if the attempt cannot be recorded, because every Tab
 * would then repeat it.
 */
function beginAttempt(file: string, now: number): boolean {
  try {
    const time = entryAt(file)?.mtimeMs;
    if (time !== undefined && Math.abs(now - time) < attemptInterval) return false;
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, '', { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}
