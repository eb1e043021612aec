import { lastSync, numberInWords, readCopy, unknownFilter } from '../../features/mirror/index.ts';
import { ageText } from '../../platform/age-text.ts';
import type { Context } from '../../runtime/context.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';
import { foundColumns, foundRows } from './search.rows.ts';
import { asSearch } from './as-search.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';

export interface SyncSearchOptions extends CopyOptions {
  readonly query: readonly string[];
  readonly limit: number;
}

/** Milliseconds after which a search states how old the copy is. */
const oldCopy = 15 * 60_000;

/** `sync search`: searches the local mailbox copy; sends no requests. */
export async function searchCopy(
  ctx: Context,
  { query, limit, ...options }: SyncSearchOptions,
): Promise<void> {
  await readCopy(ctx, options, async ({ messages }) => {
    const search = query.join(' ');
    const found = await asSearch(ctx, (readTime) => messages.search(search, limit, readTime));
    const view = foundRows.pick(foundColumns);
    await ctx.out.list(found, { ...view, empty: nextStep`${view.empty ?? ''}${adviceOn(search)}` });
    const copiedAt = lastSync(await messages.streams());
    const age = copiedAt === undefined ? 0 : ctx.now() - Date.parse(copiedAt);
    // Programs read the time from `sync status`.
    if (ctx.out.isTerminal && age > oldCopy)
      ctx.out.note(nextStep`Copied ${ageText(age)}. To keep the copy up to date: ${ucctl('sync --watch')}`);
  });
}

/** Returns advice on a search that found nothing, after a space: words match texts and names, but a user may have meant a filter. */
function adviceOn(search: string): Hint {
  const key = unknownFilter(search);
  if (key !== undefined)
    return nextStep` ${key}: is not a filter; to list the filters: ${ucctl('sync search --help --all')}`;
  const number = numberInWords(search);
  return number === undefined ? '' : ` To search for the number, use with:"${number}".`;
}
