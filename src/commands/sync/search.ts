import {
  numberInWords,
  oldestSync,
  type OldestSync,
  readCopy,
  unknownFilter,
} from '../../features/mirror/index.ts';
import { ageText } from '../../platform/age-text.ts';
import type { Context } from '../../runtime/context.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';
import type { Found, Rows } from '../../store/message-store.ts';
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
    const rows = await asSearch(ctx, (readTime) => messages.search(search, limit, readTime));
    const mailboxes = new Map<string, string>();
    const found = withMailboxes(rows, mailboxes);
    const view = foundRows.pick(foundColumns);
    await ctx.out.list(found, { ...view, empty: nextStep`${view.empty ?? ''}${adviceOn(search)}` });
    // Programs read the time from `sync status`.
    if (ctx.out.isTerminal) noteAge(ctx, await oldestSync(messages, mailboxes));
  });
}

/** Collects the numbers of the mailboxes of the rows by the IDs of the mailboxes. */
async function* withMailboxes(rows: Rows<Found>, mailboxes: Map<string, string>): AsyncGenerator<Found> {
  for await (const row of rows) {
    mailboxes.set(row.extensionId, row.mailbox);
    yield row;
  }
}

/** Writes how old the copy of the mailboxes is, or that of all mailboxes after a search that found nothing. */
function noteAge(ctx: Context, oldest: OldestSync | undefined): void {
  const age = oldest ? ctx.now() - Date.parse(oldest.syncTime) : 0;
  if (!oldest || age <= oldCopy) return;
  const { mailbox, extension, isOnly } = oldest;
  const what = mailbox === undefined ? 'Oldest mailbox copied' : `Mailbox ${mailbox} copied`;
  const command = ucctl`sync --watch ${extension === undefined ? [] : ['--extension', extension]}`;
  ctx.out.note(
    nextStep`${isOnly ? 'Copied' : what} ${ageText(age)}. To keep the copy up to date: ${command}`,
  );
}

/** Returns advice on a search that found nothing, after a space: words match texts and names, but a user may have meant a filter. */
function adviceOn(search: string): Hint {
  const key = unknownFilter(search);
  if (key !== undefined)
    return nextStep` ${key}: is not a filter; to list the filters: ${ucctl('sync search --help --all')}`;
  const number = numberInWords(search);
  return number === undefined ? '' : ` To search for the number, use with:"${number}".`;
}
