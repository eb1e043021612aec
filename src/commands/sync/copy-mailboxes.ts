import type { Client } from '../../client/index.ts';
import {
  copyMedia,
  dropDamagedMedia,
  scopesOf,
  saveMailbox,
  syncScope,
  tidyMedia,
  type SyncScope,
  type Mailbox,
  type SyncReport,
} from '../../features/mirror/index.ts';
import { isRejectedWith } from '../../errors/service.ts';
import { counted } from '../../platform/counted.ts';
import type { Database } from '../../platform/sqlite.ts';
import type { Context } from '../../runtime/context.ts';
import { openSyncOf } from './mailboxes.ts';
import { fetchMediaOf } from './media-of.ts';
import type { SyncRow } from './sync.rows.ts';
import type { SyncOptions } from './sync-options.ts';

/** Settings that all mailboxes of one run share. */
export interface CopyRun {
  readonly ctx: Context;
  readonly api: Client;
  readonly db: Database;
  readonly file: string;
  readonly options: SyncOptions;
  /** The time of `--since`; ISO 8601. */
  readonly dateFrom: string | undefined;
}

/** Copies new and changed messages, with a row for each sync scope of each mailbox. */
export async function* copyMailboxes(
  run: CopyRun,
  mailboxes: readonly Mailbox[],
): AsyncGenerator<SyncRow, void, undefined> {
  for (const mailbox of mailboxes) {
    saveMailbox(run.db, mailbox);
    for (const scope of scopesOf(run.options)) {
      const line = await copyOne(run, mailbox, scope);
      yield line;
      if (line.problem !== undefined) break;
    }
  }
}

async function copyOne(run: CopyRun, mailbox: Mailbox, scope: SyncScope): Promise<SyncRow> {
  const { ctx, api, db, file, options, dateFrom } = run;
  const label = mailbox.extensionNumber ?? mailbox.name ?? mailbox.extensionId;
  try {
    const report = await ctx.out.progress(`mailbox ${label}`, () =>
      syncScope(db, openSyncOf(api, ctx.signal), {
        extensionId: mailbox.extensionId,
        own: mailbox.own,
        scope,
        dateFrom,
        onDelete: options.onDelete,
        full: options.full,
        now: () => ctx.now(),
      }),
    );
    if (report.repaired) ctx.out.note(repairText(label, report));
    if (options.media && options.full) await dropDamagedMedia(db, file, mailbox.extensionId);
    const media = options.media
      ? await copyMedia(db, file, mailbox.extensionId, fetchMediaOf(api, ctx))
      : { copied: undefined, failed: 0, problem: undefined };
    await tidyMedia(db, file);
    if (media.failed > 0) {
      ctx.out.warn(
        `${counted(media.failed, 'attachment')} of mailbox ${label} could not be copied: ${media.problem}`,
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

function repairText(label: string, { received, added, changed, vanished }: SyncReport): string {
  return `the service rejected the sync token of mailbox ${label}; a full sync repaired the copy: ${received} received, ${added} added, ${changed} changed, ${vanished} removed from the service`;
}

/** The message of a missing permission, which skips this mailbox only; undefined for any other error. */
function missingPermission(error: unknown): string | undefined {
  return isRejectedWith(error, 403) ? `${error.message} [${error.code}]` : undefined;
}
