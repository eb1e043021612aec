import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A value that was seen in a reply, kept for completion. */
export interface KnownValue {
  readonly value: string;
  readonly about?: string | undefined;
  /** Other names of the same thing. */
  readonly also?: readonly string[] | undefined;
}

/** Whose values they are: those of another address are not offered. */
export interface KnownOwner {
  readonly profile: string;
  readonly origin: string;
}

type Lists = Readonly<Record<string, readonly KnownValue[]>>;

function fileOf(cacheFolder: string, profile: string): string {
  return join(cacheFolder, 'completion', `${encodeURIComponent(profile)}.json`);
}

/** What is kept for an owner, by kind. A file that is missing, broken or of another address is empty. */
export function readKnownValues(cacheFolder: string, { profile, origin }: KnownOwner): Lists {
  try {
    const kept = JSON.parse(readFileSync(fileOf(cacheFolder, profile), 'utf8')) as {
      readonly origin?: unknown;
      readonly lists?: Lists;
    };
    return kept.origin === origin ? (kept.lists ?? {}) : {};
  } catch {
    return {};
  }
}

/** Replaces the list of one kind, mode 0600. Writes nothing when it is as it was. */
export async function keepKnownValues(
  cacheFolder: string,
  owner: KnownOwner,
  kind: string,
  values: readonly KnownValue[],
): Promise<void> {
  const lists = readKnownValues(cacheFolder, owner);
  if (JSON.stringify(lists[kind]) === JSON.stringify(values)) return;
  const [{ writeFileAtomic }, { maskValue }] = await Promise.all([
    import('./atomic-file.ts'),
    import('./mask-secrets.ts'),
  ]);
  const document = JSON.stringify({ origin: owner.origin, lists: { ...lists, [kind]: maskValue(values) } });
  await writeFileAtomic(fileOf(cacheFolder, owner.profile), `${document}\n`);
}

/** Forgets all that is kept for a profile. */
export async function forgetKnownValues(cacheFolder: string, profile: string): Promise<void> {
  // Loaded here: lists come by on every run, and are forgotten at a logout.
  const { rm } = await import('node:fs/promises');
  await rm(fileOf(cacheFolder, profile), { force: true });
}
