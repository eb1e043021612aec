import type { Extension } from '../../contract/extension.ts';

/** The extensions that a name may refer to. */
export type Scope = 'queue' | 'agent' | 'extension';

/** The members of an extension that a lookup reads. The cache of names has no type and no status. */
export type FindableExtension = Pick<Extension, 'id' | 'name' | 'extensionNumber' | 'contact'> &
  Partial<Pick<Extension, 'type' | 'status'>>;

/** Whether an extension is in a scope; every extension other than a queue counts as an agent. */
export function inScope(extension: FindableExtension, scope: Scope): boolean {
  if (scope === 'extension') return true;
  return (extension.type === 'Department') === (scope === 'queue');
}

/** An extension with its folded extension number, e-mail and name. */
export interface NamedExtension<E = Extension> {
  readonly extension: E;
  readonly keys: readonly string[];
}

/** All extensions of an account, indexed for lookups by name. */
export interface NameIndex<E = Extension> {
  readonly extensions: readonly E[];
  readonly named: readonly NamedExtension<E>[];
  readonly byId: ReadonlyMap<string, E>;
  /** Extensions by folded extension number, e-mail and name. */
  readonly byKey: ReadonlyMap<string, readonly E[]>;
}

/** Indexes extensions for `matches`. */
export function indexNames<E extends FindableExtension>(extensions: readonly E[]): NameIndex<E> {
  const byKey = new Map<string, E[]>();
  const named = extensions.map((extension) => ({ extension, keys: keysOf(extension).map(fold) }));
  for (const { extension, keys } of named) {
    for (const key of keys) {
      const same = byKey.get(key);
      if (!same) byKey.set(key, [extension]);
      else if (same.at(-1) !== extension) same.push(extension);
    }
  }
  return { extensions, named, byId: new Map(extensions.map((one) => [String(one.id), one])), byKey };
}

/**
 * Returns the extensions that a text refers to. An exact ID has precedence, so that every extension can be named
 * unambiguously. Extension number, e-mail and name have equal rank, so a name that equals the number of another
 * extension is ambiguous.
 */
export function matches<E extends FindableExtension>(
  text: string,
  scope: Scope,
  index: NameIndex<E>,
): readonly E[] {
  const searched = fold(text);
  const byId = index.byId.get(searched);
  if (byId && inScope(byId, scope)) return [byId];
  return (index.byKey.get(searched) ?? []).filter((extension) => inScope(extension, scope));
}

/** Returns the texts that refer to an extension, in addition to its ID. */
function keysOf(extension: FindableExtension): readonly string[] {
  const { extensionNumber, name, contact } = extension;
  return [extensionNumber, name, contact?.email].flatMap((key) => key || []);
}

/** ASCII words with one space between them: only their case differs after normalization. */
const simple = /^[!-~]+(?: [!-~]+)*$/;

/** Normalizes case, spaces and composed characters of a name for comparison. */
export function fold(text: string): string {
  if (simple.test(text)) return text.toLowerCase();
  return text.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}
