import type { Client } from '../../client/index.ts';
import {
  copyMedia,
  framesOf,
  retentionWarnings,
  saveMailbox,
  syncFrame,
  tidyMedia,
  type Frame,
  type Mailbox,
  type OnDelete,
} from '../../features/mirror/index.ts';
import { readMoment } from '../../platform/moment.ts';
import type { Database } from '../../platform/sqlite.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, usageError } from '../../runtime/errors.ts';
import { namedMailboxes, openSyncOf } from './mailboxes.ts';
import { openMediaOf } from './media-of.ts';
import { changeCopy } from './open-copy.ts';
import type { CopyOptions } from './options.command.ts';
import { syncView, type SyncLine } from './sync-view.ts';

export interface SyncOptions extends CopyOptions {
  readonly extension: readonly string[];
  readonly types: readonly ('SMS' | 'Pager' | 'Fax' | 'VoiceMail')[];
  readonly direction?: 'Inbound' | 'Outbound';
  readonly since?: string;
  readonly maxRecords?: number;
  readonly onDelete: OnDelete;
  readonly media?: boolean;
  readonly full?: boolean;
}

/** What all mailboxes of one run share. */
interface Run {
  readonly ctx: Context;
  readonly api: Client;
  readonly db: Database;
  readonly file: string;
  readonly options: SyncOptions;
  readonly dateFrom: string | undefined;
}

/** `sync`: copies what is new, a line for each frame of each mailbox. */
export async function syncMailboxes(ctx: Context, options: SyncOptions): Promise<void> {
  const dateFrom = readSince(ctx, options.since);
  const api = await ctx.api();
  const lines: SyncLine[] = [];
  await changeCopy(ctx, options, async (db, file) => {
    const run = { ctx, api, db, file, options, dateFrom };
    const mailboxes = await namedMailboxes(ctx, api, db, options.extension);
    await ctx.out.list(copyAll(run, mailboxes, lines), syncView);
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
      ...(refused.length > 0 ? [`${refused.length} mailboxes were refused`] : []),
      ...(errors > 0 ? [`${errors} records could not be copied`] : []),
    ].join(', '),
    { details: refused, hint: errors > 0 ? 'ucctl sync retry' : undefined },
  );
}

function readSince(ctx: Context, since: string | undefined): string | undefined {
  if (since === undefined) return undefined;
  const moment = readMoment(since, ctx.now());
  if (moment === undefined)
    throw usageError(`--since does not take "${since}"`, 'a date, ISO 8601, 7d, yesterday');
  return new Date(moment).toISOString();
}

async function* copyAll(
  run: Run,
  mailboxes: readonly Mailbox[],
  lines: SyncLine[],
): AsyncGenerator<SyncLine, void, undefined> {
  for (const mailbox of mailboxes) {
    saveMailbox(run.db, mailbox);
    for (const frame of framesOf(run.options)) {
      const line = await copyOne(run, mailbox, frame);
      lines.push(line);
      yield line;
      if (line.refused !== undefined) break;
    }
  }
}

async function copyOne(run: Run, mailbox: Mailbox, frame: Frame): Promise<SyncLine> {
  const { ctx, api, db, file, options, dateFrom } = run;
  const label = mailbox.extensionNumber ?? mailbox.name ?? mailbox.extensionId;
  try {
    const report = await ctx.out.progress(`mailbox ${label}`, () =>
      syncFrame(db, openSyncOf(api, ctx.signal), {
        extensionId: mailbox.extensionId,
        own: mailbox.own,
        frame,
        dateFrom,
        onDelete: options.onDelete,
        full: options.full,
        now: () => ctx.now(),
      }),
    );
    if (report.repaired) ctx.out.note(repairText(label, report));
    const media = options.media
      ? await copyMedia(db, file, mailbox.extensionId, openMediaOf(api, ctx))
      : { copied: 0, failed: 0 };
    await tidyMedia(db, file);
    if (media.failed > 0) ctx.out.warn(`${media.failed} attachments of ${label} could not be copied`);
    return { ...report, mailbox: label, type: report.messageType, media: media.copied };
  } catch (error) {
    const refused = refusal(error);
    if (refused === undefined) throw error;
    return {
      mailbox: label,
      extensionId: mailbox.extensionId,
      type: frame.messageType ?? null,
      errors: 0,
      refused,
    };
  }
}

function repairText(
  label: string,
  { received, added, changed, vanished }: Awaited<ReturnType<typeof syncFrame>>,
): string {
  return `the service refused the sync token of mailbox ${label}; repaired by a full sync: ${received} refetched, ${added} added, ${changed} changed, ${vanished} vanished`;
}

/** The service does not let this user read that mailbox: told, and the rest goes on. */
function refusal(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== 'ApiError') return undefined;
  const { status, code } = error as Error & { readonly status: number; readonly code: string };
  return status === 403 ? `${error.message} [${code}]` : undefined;
}
