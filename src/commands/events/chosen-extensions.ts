import {
  ambiguous,
  indexNames,
  matches,
  type FindableExtension,
  type NameIndex,
} from '../../features/directory/index.ts';
import { knownExtensions } from '../../features/known-values/index.ts';
import type { Context } from '../../runtime/context.ts';
import { lookupError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';

/** The extensions whose events a list shows. */
export class ChosenExtensions {
  /** Empty if the list shows the events of all extensions. */
  readonly ids: ReadonlySet<string>;
  /** Names that are not in the cache, so that only an ID can be meant, and that no event has had yet. */
  readonly #unmatched: Set<string>;

  constructor(ids: readonly string[], unknown: readonly string[]) {
    this.ids = new Set([...ids, ...unknown]);
    this.#unmatched = new Set(unknown);
  }

  /** Whether the list shows the events of this extension. */
  includes(id: string | undefined): boolean {
    if (this.ids.size === 0) return true;
    if (id === undefined || !this.ids.has(id)) return false;
    this.#unmatched.delete(id);
    return true;
  }

  /** Explains why the complete list has no event of a name. */
  noteUnmatched({ out }: Pick<Context, 'out'>): void {
    for (const name of this.#unmatched)
      out.note(
        nextStep`No stored event belongs to extension "${name}", and the cache has no such name or number. Use the extension ID, or update the cache with ${ucctl('agent list')} or ${ucctl('queue list')}.`,
      );
  }
}

/**
 * Finds extensions by ID, number, e-mail or name in the cache, without a request. A name that is not in the cache counts
 * as an ID. @throws {CommandError} `ambiguous_name` (exit 2).
 */
export async function chosenExtensions(ctx: Context, names: readonly string[]): Promise<ChosenExtensions> {
  if (names.length === 0) return new ChosenExtensions([], []);
  const index = indexNames(
    knownExtensions(ctx).map(({ id, name, extensionNumber, email }) => ({
      id,
      name,
      extensionNumber,
      contact: { email },
    })),
  );
  const ids: string[] = [];
  const unknown: string[] = [];
  for (const name of names) {
    const id = name === '~' ? (await (await ctx.auth()).describe())?.ownerId : knownId(name, index);
    if (id === undefined) unknown.push(name);
    else ids.push(id);
  }
  return new ChosenExtensions(ids, unknown);
}

function knownId(name: string, index: NameIndex<FindableExtension>): string | undefined {
  const found = matches(name, 'extension', index);
  if (found.length > 1) throw lookupError(ambiguous(name, 'extension', found));
  return found[0] && String(found[0].id);
}
