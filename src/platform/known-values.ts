import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ownershipFault } from './ownership.ts';
import type { SentSecrets } from './sent-secrets.ts';

/** A value of a reply, stored for completion. */
export interface KnownValue {
  readonly value: string;
  /** ID of an extension, so that events can show its name. */
  readonly id?: string | undefined;
  readonly about?: string | undefined;
  /** Alternative names of the value. */
  readonly also?: readonly string[] | undefined;
}

/** The profile and service that the values belong to. Values of another service are not offered. */
export interface KnownOwner {
  readonly profile: string;
  readonly origin: string;
}

/** New values of one kind, which replace the stored values of that kind. */
export interface NewKnownValues {
  readonly kind: string;
  readonly values: readonly KnownValue[];
  /** Secrets of the run, which are masked in the values. */
  readonly sent: SentSecrets;
  /** Time of the values in milliseconds since 1970. */
  readonly now: number;
}

type Lists = Readonly<Record<string, readonly KnownValue[]>>;

interface Stored {
  readonly lists: Lists;
  /** Times of the lists in milliseconds since 1970, by kind. */
  readonly times: Readonly<Record<string, number>>;
}

/** Milliseconds after which the time of unchanged values is stored again. */
const timePrecision = 3_600_000;

function fileOf(cacheFolder: string, profile: string): string {
  return join(cacheFolder, 'completion', `${encodeURIComponent(profile)}.json`);
}

/**
 * Whether a file of the completion cache may be used. Another user who owns a folder, or may write to it, could read the
 * names, offer other names, or choose the file that is written.
 */
export function isOwnCache(cacheFolder: string, file: string): boolean {
  const isSafe = (path: string): boolean => ownershipFault(path) === undefined;
  return ownershipFault(cacheFolder, { follow: true }) === undefined && isSafe(dirname(file)) && isSafe(file);
}

/** Kinds of values that completion reads from the service if no list of them is stored. */
export const readableKinds = ['agents', 'queues'] as const;
export type ReadableKind = (typeof readableKinds)[number];

/** Returns the file whose time is the last attempt of completion to read missing values of a profile. */
export function attemptFile(cacheFolder: string, profile: string, kind: ReadableKind): string {
  return join(cacheFolder, 'completion', `${encodeURIComponent(profile)}.${kind}.attempt`);
}

/** Returns the stored values of an owner, by kind. Empty if the file is missing, damaged, unsafe or of another service. */
export function readKnownValues(cacheFolder: string, owner: KnownOwner): Lists {
  return readStored(cacheFolder, owner).lists;
}

/** Returns the time of the stored values of a kind, up to an hour too early; undefined if it is unknown. */
export function timeOfKnownValues(cacheFolder: string, owner: KnownOwner, kind: string): number | undefined {
  return readStored(cacheFolder, owner).times[kind];
}

function readStored(cacheFolder: string, { profile, origin }: KnownOwner): Stored {
  const file = fileOf(cacheFolder, profile);
  const nothing = { lists: {}, times: {} };
  if (!isOwnCache(cacheFolder, file)) return nothing;
  try {
    const stored = JSON.parse(readFileSync(file, 'utf8')) as {
      readonly origin?: unknown;
      readonly lists?: Readonly<Record<string, unknown>>;
      readonly times?: Readonly<Record<string, unknown>>;
    };
    if (stored.origin !== origin) return nothing;
    const lists = Object.entries(stored.lists ?? {});
    const times = Object.entries(stored.times ?? {});
    return {
      lists: Object.fromEntries(
        lists.flatMap(([kind, list]) => (Array.isArray(list) ? [[kind, list.flatMap(readable)]] : [])),
      ),
      times: Object.fromEntries(
        times.flatMap(([kind, time]) => (typeof time === 'number' ? [[kind, time]] : [])),
      ),
    };
  } catch {
    return nothing;
  }
}

/** Returns a stored value without members of other types. Empty without a text. */
function readable(stored: unknown): readonly KnownValue[] {
  if (typeof stored !== 'object' || stored === null) return [];
  const { value, id, about, also } = stored as Readonly<Partial<Record<keyof KnownValue, unknown>>>;
  if (!isText(value)) return [];
  const others: readonly unknown[] = Array.isArray(also) ? also : [];
  return [
    {
      value,
      ...(isText(id) && { id }),
      ...(isText(about) && { about }),
      ...(also !== undefined && { also: others.filter(isText) }),
    },
  ];
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/**
 * Replaces the values of one kind, in a file of mode 0600. Does nothing if they are unchanged and were stored within the
 * last hour, or if the folder is unsafe.
 */
export async function storeKnownValues(
  cacheFolder: string,
  owner: KnownOwner,
  { kind, values, sent, now }: NewKnownValues,
): Promise<void> {
  const file = fileOf(cacheFolder, owner.profile);
  if (!isOwnCache(cacheFolder, file)) return;
  const { lists, times } = readStored(cacheFolder, owner);
  const isRecent = Math.abs(now - (times[kind] ?? 0)) < timePrecision;
  if (isRecent && JSON.stringify(lists[kind]) === JSON.stringify(values)) return;
  const [{ writeFileAtomic }, { maskValue }] = await Promise.all([
    import('./atomic-file.ts'),
    import('./mask-secrets.ts'),
  ]);
  const document = JSON.stringify({
    origin: owner.origin,
    lists: { ...lists, [kind]: maskValue(values, sent) },
    times: { ...times, [kind]: now },
  });
  await writeFileAtomic(file, `${document}\n`);
}

/** Deletes the stored values of a profile. */
export async function deleteKnownValues(cacheFolder: string, profile: string): Promise<void> {
  // Loaded at the first deletion, because only logout deletes values.
  const { deleteFile } = await import('./delete-file.ts');
  const attempts = readableKinds.map((kind) => attemptFile(cacheFolder, profile, kind));
  for (const file of [fileOf(cacheFolder, profile), ...attempts]) {
    if (isOwnCache(cacheFolder, file)) await deleteFile(file);
  }
}
