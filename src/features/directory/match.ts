import type { Extension } from '../../contract/extension.ts';

/** Which extensions a name may stand for. */
export type Scope = 'queue' | 'agent' | 'extension';

/** Whether an extension is one of those; every extension that is no queue is an agent. */
export function inScope(extension: Extension, scope: Scope): boolean {
  if (scope === 'extension') return true;
  return (extension.type === 'Department') === (scope === 'queue');
}

/** All extensions of an account, ready to be asked for by name. */
export interface NameIndex {
  readonly extensions: readonly Extension[];
  readonly byId: ReadonlyMap<string, Extension>;
  /** By folded extension number, e-mail or name. */
  readonly byKey: ReadonlyMap<string, readonly Extension[]>;
}

/** Prepares extensions for `matches`. */
export function indexNames(extensions: readonly Extension[]): NameIndex {
  const byKey = new Map<string, Extension[]>();
  for (const extension of extensions) {
    for (const key of new Set(keysOf(extension).map(fold))) {
      const same = byKey.get(key);
      if (same) same.push(extension);
      else byKey.set(key, [extension]);
    }
  }
  return { extensions, byId: new Map(extensions.map((one) => [String(one.id), one])), byKey };
}

/**
 * The extensions that a text stands for. An exact id wins, so that there is always a way to name one thing; after it extension
 * number, e-mail and name count alike, and a name that is also someone's number is ambiguous.
 */
export function matches(text: string, scope: Scope, index: NameIndex): readonly Extension[] {
  const wanted = fold(text);
  const byId = index.byId.get(wanted);
  if (byId && inScope(byId, scope)) return [byId];
  return (index.byKey.get(wanted) ?? []).filter((extension) => inScope(extension, scope));
}

/** Everything by which people name an extension, apart from its id. */
export function keysOf(extension: Extension): readonly string[] {
  const { extensionNumber, name, contact } = extension;
  return [extensionNumber, name, contact?.email].flatMap((key) => key || []);
}

/** Makes spellings comparable: case, spaces and composed characters aside. */
export function fold(text: string): string {
  return text.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}
