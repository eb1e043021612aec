import { isPersonalSync, scopesOf, syncScope, type SyncReport } from '../../features/mirror/index.ts';
import type { Mailbox, SyncScope } from '../../store/mailbox.ts';
import { sessionOwner } from '../../runtime/session-owner.ts';
import { isRejectedByService } from '../../errors/service-codes.ts';
import { inOrderAtOnce } from '../../platform/at-once.ts';
import { copyAttachments, deleteUnused } from './attachments.ts';
import type { CopyRun } from './copy-run.ts';
import { openSyncOf } from './mailboxes.ts';
import type { SyncRow } from './sync.rows.ts';

/** Default number of mailboxes that are copied at the same time. */
const mailboxesAtOnce = 8;

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
  await deleteUnused(run);
  const copied = inOrderAtOnce(mailboxes, most, (mailbox) => copyMailbox(run, mailbox));
  for await (const rows of copied) yield* rows;
}

async function copyMailbox(run: CopyRun, mailbox: Mailbox): Promise<readonly SyncRow[]> {
  const rows: SyncRow[] = [];
  let columnsRepaired = run.repaired?.get(mailbox.extensionId);
  for (const scope of scopesOf(run.options)) {
    const row = await copyOne(run, mailbox, scope);
    rows.push(columnsRepaired === undefined ? row : { ...row, columnsRepaired });
    columnsRepaired &&= 0;
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
        onDelete: run.onDelete,
        full: options.full,
        isPersonal: isPersonalSync(ctx.settings),
        now: () => ctx.now(),
      }),
    );
    if (report.repaired) ctx.out.note(repairText(label, report));
    const media = await copyAttachments(run, mailbox, label);
    if (mayHaveRemoved(report, run)) await deleteUnused(run);
    const { messageType: type, ...counts } = report;
    const attachments = media && { media: media.copied, mediaErrors: media.failed };
    return { ...counts, mailbox: label, type, ...attachments };
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
function mayHaveRemoved({ received, vanished }: SyncReport, { onDelete, options }: CopyRun): boolean {
  return received > 0 || vanished > 0 || onDelete === 'purge' || options.media === true;
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
