import type { Client } from '../../client/index.ts';
import { changeCopy, choosePolicy } from '../../features/mirror/index.ts';
import type { Archive } from '../../store/archive.ts';
import type { Mailbox } from '../../store/mailbox.ts';
import { counted } from '../../platform/counted.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { ucctl } from '../../errors/hint.ts';
import { readTime } from '../../features/time-window/index.ts';
import { copyMailboxes } from './copy-mailboxes.ts';
import type { PlaceState } from './copy-run.ts';
import { namedMailboxes } from './mailboxes.ts';
import { repairCopy } from './repair-copy.ts';
import type { SyncOptions } from './sync-options.ts';
import { syncRows, type SyncRow } from './sync.rows.ts';

/** `sync`: copies changes and writes a row for each scope of each mailbox. */
export async function syncMailboxes(ctx: Context, options: SyncOptions): Promise<void> {
  const dateFrom = readSince(ctx, options.since);
  if (options.watch) return (await import('./watch.ts')).watchMailboxes(ctx, options, dateFrom);
  const api = await ctx.api();
  if (options.dryRun) return showPlannedSyncs(ctx, api, options);
  const lines: SyncRow[] = [];
  const place: PlaceState = {};
  let mailboxes: readonly Mailbox[] | undefined;
  const copy = async (archive: Archive): Promise<void> => {
    const { messages } = archive;
    const chosen = mailboxes ?? (await namedMailboxes(ctx, api, messages, options.extension));
    const ids = chosen.map(({ extensionId }) => extensionId);
    const onDelete = await choosePolicy(ctx, messages, options.onDelete, ids);
    const repaired = options.full ? await repairCopy(ctx, messages, ids) : undefined;
    const run = { ctx, signal: ctx.signal, api, archive, options, onDelete, dateFrom, place, repaired };
    const copied = async function* (): AsyncGenerator<SyncRow, void, undefined> {
      for await (const line of copyMailboxes(run, chosen)) {
        lines.push(line);
        yield line;
      }
    };
    await ctx.out.list(copied(), syncRows.list);
    for (const warning of await messages.retentionWarnings(ctx.now())) ctx.out.warn(warning);
  };
  const work = (archive: Archive): Promise<void> => archive.messages.syncing(() => copy(archive));
  await changeCopy(ctx, options, work, async () => {
    mailboxes = await namedMailboxes(ctx, api, undefined, options.extension);
  });
  const failure = place.failure ?? place.fileFailure;
  if (failure) throw failure;
  const problems = lines.flatMap(({ mailbox, problem }) =>
    problem === undefined ? [] : [`${mailbox}: ${problem}`],
  );
  const errors = lines.reduce((sum, line) => sum + (line.errors ?? 0), 0);
  // Each sync of a mailbox tries to copy all attachments of the mailbox.
  const lastErrors = new Map(lines.map(({ mailbox, mediaErrors }) => [mailbox, mediaErrors ?? 0]));
  const mediaErrors = [...lastErrors.values()].reduce((sum, count) => sum + count, 0);
  if (problems.length + errors + mediaErrors === 0) return;
  throw new CommandError(
    'partial',
    problems.length === lines.length ? Exit.permission : Exit.partial,
    [
      ...(problems.length > 0 ? [`could not read ${counted(problems.length, 'mailbox', 'mailboxes')}`] : []),
      ...(errors > 0 ? [`could not copy ${counted(errors, 'record')}`] : []),
      ...(mediaErrors > 0 ? [`could not copy ${counted(mediaErrors, 'attachment')}`] : []),
    ].join(', '),
    { details: problems, hint: errors > 0 ? ucctl('sync retry') : undefined },
  );
}

/** `--dry-run`: writes a row for each sync of a mailbox, without reading messages. */
async function showPlannedSyncs(ctx: Context, api: Client, options: SyncOptions): Promise<void> {
  const { type: types, direction, extension } = options;
  const mailboxes = await namedMailboxes(ctx, api, undefined, extension);
  const scopes = types.length > 0 ? types : [null];
  const planned = mailboxes.flatMap(({ extensionId, extensionNumber }) =>
    scopes.map((type): SyncRow => ({
      mailbox: extensionNumber ?? extensionId,
      extensionId,
      type,
      direction,
    })),
  );
  const isTable = ctx.out.isTerminal && ctx.out.format === 'table';
  await ctx.out.list(planned, isTable ? syncRows.pick(['mailbox', 'type']) : syncRows.list);
  ctx.out.note('Dry run: ucctl copied no messages. Only the sync itself shows how many messages are new.');
}

function readSince(ctx: Context, since: string | undefined): string | undefined {
  if (since === undefined) return undefined;
  const moment = readTime(ctx, '--since', since, 'a date, an ISO 8601 time, 7d or yesterday');
  return new Date(moment).toISOString();
}
