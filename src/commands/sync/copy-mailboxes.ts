import type { Client } from '../../client/index.ts';
import { fetchAttachmentOf } from '../../features/download/index.ts';
import {
  copyMedia,
  deleteUnusedMedia,
  dropDamagedMedia,
  isPersonalSync,
  scopesOf,
  syncScope,
  type MediaReport,
  type SyncReport,
} from '../../features/mirror/index.ts';
import type { Archive } from '../../store/archive.ts';
import type { Mailbox, SyncScope } from '../../store/mailbox.ts';
import { isRejectedByService } from '../../errors/service-codes.ts';
import { counted } from '../../platform/counted.ts';
import { inOrderAtOnce } from '../../platform/at-once.ts';
import type { Context } from '../../runtime/context.ts';
import { openSyncOf, sessionOwner } from './mailboxes.ts';
import type { SyncRow } from './sync.rows.ts';
import type { SyncOptions } from './sync-options.ts';

/** Default number of mailboxes that are copied at the same time. */
const mailboxesAtOnce = 8;

/** Settings that are the same for all mailboxes of one run. */
export interface CopyRun {
  readonly ctx: Context;
  /** Ends the requests. */
  readonly signal: AbortSignal;
  readonly api: Client;
  readonly archive: Archive;
  readonly options: SyncOptions;
  /** The time of `--since`; ISO 8601. */
  readonly dateFrom: string | undefined;
}

/**
 * Copies new and changed messages, several mailboxes at a time, with a row for each sync scope of each mailbox. The
 * rows are in the order of the mailboxes. The client limits all requests to the rate limits.
 */
export async function* copyMailboxes(
  run: CopyRun,
  mailboxes: readonly Mailbox[],
): AsyncGenerator<SyncRow, void, undefined> {
  const most = run.options.concurrency ?? mailboxesAtOnce;
  await run.archive.messages.saveMailboxes(mailboxes);
  // An earlier sync may have been interrupted before it deleted the attachments of removed messages.
  await deleteUnusedMedia(run.ctx, run.archive);
  const copied = inOrderAtOnce(mailboxes, most, (mailbox) => copyMailbox(run, mailbox));
  for await (const rows of copied) yield* rows;
}

async function copyMailbox(run: CopyRun, mailbox: Mailbox): Promise<readonly SyncRow[]> {
  const rows: SyncRow[] = [];
  for (const scope of scopesOf(run.options)) {
    const row = await copyOne(run, mailbox, scope);
    rows.push(row);
    if (row.problem !== undefined) break;
  }
  return rows;
}

async function copyOne(run: CopyRun, mailbox: Mailbox, scope: SyncScope): Promise<SyncRow> {
  const { ctx, signal, api, archive, options, dateFrom } = run;
  const { messages: store } = archive;
  const label = mailbox.extensionNumber ?? mailbox.name ?? mailbox.extensionId;
  try {
    const report = await ctx.out.progress(`mailbox ${label}`, () =>
      syncScope(store, openSyncOf(api, signal), {
        extensionId: mailbox.extensionId,
        owner: mailbox.own ? sessionOwner(ctx, api) : undefined,
        scope,
        dateFrom,
        onDelete: options.onDelete,
        full: options.full,
        isPersonal: isPersonalSync(ctx.settings),
        now: () => ctx.now(),
      }),
    );
    if (report.repaired) ctx.out.note(repairText(label, report));
    const media = options.media ? await copyAttachments(run, mailbox, label) : noMedia;
    if (mayHaveRemoved(report, options)) await deleteUnusedMedia(ctx, archive);
    if (media.failed > 0) {
      ctx.out.warn(
        `could not copy ${counted(media.failed, 'attachment')} of mailbox ${label}: ${media.problem}`,
      );
    }
    const { messageType: type, ...counts } = report;
    return { ...counts, mailbox: label, type, media: media.copied };
  } catch (error) {
    const problem = missingPermission(error);
    if (problem === undefined) throw error;
    return {
      mailbox: label,
      extensionId: mailbox.extensionId,
      type: scope.messageType ?? null,
      errors: 0,
      problem,
    };
  }
}

/** Whether a sync may have removed messages, whose attachments are then deleted. */
function mayHaveRemoved({ received, vanished }: SyncReport, { onDelete, media }: SyncOptions): boolean {
  return received > 0 || vanished > 0 || onDelete === 'purge' || media === true;
}

const noMedia: Partial<MediaReport> & Pick<MediaReport, 'failed'> = { failed: 0 };

async function copyAttachments(
  { ctx, signal, api, archive: { messages, media }, options }: CopyRun,
  { extensionId }: Mailbox,
  label: string,
): Promise<MediaReport> {
  const report = await messages.copyingMedia(extensionId, async () => {
    if (options.full) await dropDamagedMedia(messages, media, extensionId);
    return copyMedia(messages, media, extensionId, fetchAttachmentOf(api, ctx, { signal }));
  });
  if (report) return report;
  ctx.out.note(`another process is copying the attachments of mailbox ${label}; this run skips them`);
  return { copied: 0, failed: 0 };
}

function repairText(label: string, { received, added, changed, vanished }: SyncReport): string {
  return `the service rejected the sync token of mailbox ${label}; a full sync repaired the local mailbox copy: ${received} received, ${added} added, ${changed} changed, ${vanished} no longer on the service`;
}

/**
 * Returns the message of a missing permission, for which only this mailbox is skipped; undefined for any other error.
 */
function missingPermission(error: unknown): string | undefined {
  return isRejectedByService(error, 403) ? `${error.message} [${error.code}]` : undefined;
}
