import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SentSecrets } from './sent-secrets.ts';

/** A value of a reply, stored for completion. */
export interface KnownValue {
  readonly value: string;
  /** Id of an extension, so that events can show its name. */
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
}

type Lists = Readonly<Record<string, readonly KnownValue[]>>;

function fileOf(cacheFolder: string, profile: string): string {
  return join(cacheFolder, 'completion', `${encodeURIComponent(profile)}.json`);
}

/** The file whose time is the last attempt of completion to read missing values of a profile. */
export function attemptFile(cacheFolder: string, profile: string): string {
  return join(cacheFolder, 'completion', `${encodeURIComponent(profile)}.attempt`);
}

/** The stored values of an owner, by kind. Empty if the file is missing, damaged or of another service. */
export function readKnownValues(cacheFolder: string, { profile, origin }: KnownOwner): Lists {
  try {
    const stored = JSON.parse(readFileSync(fileOf(cacheFolder, profile), 'utf8')) as {
      readonly origin?: unknown;
      readonly lists?: Lists;
    };
    return stored.origin === origin ? (stored.lists ?? {}) : {};
  } catch {
    return {};
  }
}

/** Replaces the values of one kind, in a file of mode 0600. Does nothing if they are unchanged. */
export async function storeKnownValues(
  cacheFolder: string,
  owner: KnownOwner,
  { kind, values, sent }: NewKnownValues,
): Promise<void> {
  const lists = readKnownValues(cacheFolder, owner);
  if (JSON.stringify(lists[kind]) === JSON.stringify(values)) return;
  const [{ writeFileAtomic }, { maskValue }] = await Promise.all([
    import('./atomic-file.ts'),
    import('./mask-secrets.ts'),
  ]);
  const document = JSON.stringify({
    origin: owner.origin,
    lists: { ...lists, [kind]: maskValue(values, sent) },
  });
  await writeFileAtomic(fileOf(cacheFolder, owner.profile), `${document}\n`);
}

/** Deletes the stored values of a profile. */
export async function deleteKnownValues(cacheFolder: string, profile: string): Promise<void> {
  // node:fs/promises is loaded at the first deletion, because only logout deletes values.
  const { rm } = await import('node:fs/promises');
  for (const file of [fileOf, attemptFile]) await rm(file(cacheFolder, profile), { force: true });
}
