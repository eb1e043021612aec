import type { Client } from '../../client/index.ts';
import {
  copyMedia,
  dropDamagedMedia,
  framesOf,
  saveMailbox,
  syncFrame,
  tidyMedia,
  type Frame,
  type Mailbox,
  type SyncReport,
} from '../../features/mirror/index.ts';
import { isRefusedWith } from '../../errors/service.ts';
import { counted } from '../../platform/counted.ts';
import type { Database } from '../../platform/sqlite.ts';
import type { Context } from '../../runtime/context.ts';
import { openSyncOf } from './mailboxes.ts';
import { fetchMediaOf } from './media-of.ts';
import type { SyncLine } from './sync-view.ts';
import type { SyncOptions } from './sync-options.ts';

/** What all mailboxes of one run share. */
export interface CopyRun {
  readonly ctx: Context;
  readonly api: Client;
  readonly db: Database;
  readonly file: string;
  readonly options: SyncOptions;
  /** What `--since` means now; ISO 8601. */
  readonly dateFrom: string | undefined;
}

/** Copies what is new: a line for each frame of each mailbox. */
export async function* copyMailboxes(
  run: CopyRun,
  mailboxes: readonly Mailbox[],
): AsyncGenerator<SyncLine, void, undefined> {
  for (const mailbox of mailboxes) {
    saveMailbox(run.db, mailbox);
    for (const frame of framesOf(run.options)) {
      const line = await copyOne(run, mailbox, frame);
      yield line;
      if (line.refused !== undefined) break;
    }
  }
}

async function copyOne(run: CopyRun, mailbox: Mailbox, frame: Frame): Promise<SyncLine> {
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
    if (options.media && options.full) await dropDamagedMedia(db, file, mailbox.extensionId);
    const media = options.media
      ? await copyMedia(db, file, mailbox.extensionId, fetchMediaOf(api, ctx))
      : { copied: undefined, failed: 0, problem: undefined };
    await tidyMedia(db, file);
    if (media.failed > 0) {
      ctx.out.warn(
        `${counted(media.failed, 'attachment')} of ${label} could not be copied: ${media.problem}`,
      );
    }
    const { messageType: type, ...counts } = report;
    return { ...counts, mailbox: label, type, media: media.copied };
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

function repairText(label: string, { received, added, changed, vanished }: SyncReport): string {
  return `the service refused the sync token of mailbox ${label}; repaired by a full sync: ${received} refetched, ${added} added, ${changed} changed, ${vanished} vanished`;
}

/** The service does not let this user read that mailbox: told, and the rest goes on. */
function refusal(error: unknown): string | undefined {
  return isRefusedWith(error, 403) ? `${error.message} [${error.code}]` : undefined;
}
