import { changeCopy, retentionWarnings } from '../../features/mirror/index.ts';
import { counted, wasOrWere } from '../../platform/counted.ts';
import { readMoment } from '../../platform/moment.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, usageError } from '../../errors/command.ts';
import { ucctl } from '../../errors/hint.ts';
import { copyMailboxes } from './copy-mailboxes.ts';
import { namedMailboxes } from './mailboxes.ts';
import type { SyncOptions } from './sync-options.ts';
import { syncView, type SyncLine } from './sync-view.ts';

/** `sync`: copies what is new, a line for each frame of each mailbox. */
export async function syncMailboxes(ctx: Context, options: SyncOptions): Promise<void> {
  const dateFrom = readSince(ctx, options.since);
  if (options.watch) return (await import('./watch.ts')).watchMailboxes(ctx, options, dateFrom);
  const api = await ctx.api();
  const lines: SyncLine[] = [];
  await changeCopy(ctx, options, async (db, file) => {
    const run = { ctx, api, db, file, options, dateFrom };
    const mailboxes = await namedMailboxes(ctx, api, db, options.extension);
    const copied = async function* (): AsyncGenerator<SyncLine, void, undefined> {
      for await (const line of copyMailboxes(run, mailboxes)) {
        lines.push(line);
        yield line;
      }
    };
    await ctx.out.list(copied(), syncView);
    for (const warning of retentionWarnings(db, ctx.now())) ctx.out.warn(warning);
  });
  const failed = lines.filter(({ refused, errors }) => refused !== undefined || errors > 0);
  if (failed.length === 0) return;
  const refused = failed.flatMap((line) =>
    line.refused === undefined ? [] : [`${line.mailbox}: ${line.refused}`],
  );
  const errors = failed.reduce((sum, line) => sum + line.errors, 0);
  throw new CommandError(
    'partial',
    refused.length === lines.length ? Exit.permission : Exit.partial,
    [
      ...(refused.length > 0
        ? [`${counted(refused.length, 'mailbox', 'mailboxes')} ${wasOrWere(refused.length)} refused`]
        : []),
      ...(errors > 0 ? [`${counted(errors, 'record')} could not be copied`] : []),
    ].join(', '),
    { details: refused, hint: errors > 0 ? ucctl('sync retry') : undefined },
  );
}

function readSince(ctx: Context, since: string | undefined): string | undefined {
  if (since === undefined) return undefined;
  const moment = readMoment(since, ctx.now());
  if (moment === undefined)
    throw usageError(`--since does not take "${since}"`, 'a date, ISO 8601, 7d, yesterday');
  return new Date(moment).toISOString();
}
