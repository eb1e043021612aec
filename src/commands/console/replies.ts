import { PageError, type PageRoute } from '../../platform/local-page/page-route.ts';
import type { Context } from '../../runtime/context.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';
import { retentionStart } from '../../features/mirror/index.ts';
import type { Archive } from '../../store/archive.ts';
import type { ExportRow } from '../../store/export-row.ts';
import { inCopy, lastAnswerable, peerOf } from './messages.ts';
import type { PendingChanges } from './pending-changes.ts';
import { runForPage } from './run-command.ts';

/** The route that previews a reply. Nothing is sent before the user confirms it. */
export function replyRoute(ctx: Context, options: CopyOptions, changes: PendingChanges): PageRoute {
  return {
    method: 'POST',
    path: '/api/conversations/:mailbox/:id/reply',
    async answer({ params, body, signal }) {
      const { mailbox = '', id = '' } = params;
      const { text } = (body ?? {}) as { readonly text?: unknown };
      if (typeof text !== 'string' || text.trim() === '')
        throw new PageError(400, 'the text of the reply is missing');
      const row = await inCopy(ctx, options, (archive) => lastAnswerable(archive, mailbox, id));
      const words = wordsOf(row, text);
      const { result, notes } = await runForPage(ctx, ['--dry-run', ...words], { signal });
      return changes.add(words, { preview: result, notes }, { after: () => copyAgain(ctx, options) });
    },
  };
}

/** Copies the own mailbox again, so that everyone who reads the copy sees the reply. */
async function copyAgain(ctx: Context, options: CopyOptions): Promise<void> {
  // Otherwise the sync would begin to copy messages that the user has not chosen.
  if (!(await inCopy(ctx, options, copiesWholeMailbox))) return;
  const file = options.database === undefined ? [] : ['--database', options.database];
  await runForPage(ctx, ['sync', ...file], { signal: ctx.signal });
}

/** Whether a sync without options continues a sync of the own mailbox. */
async function copiesWholeMailbox({ messages }: Archive): Promise<boolean> {
  const own = await messages.ownMailbox();
  const streams = await messages.streams();
  return streams.some(
    ({ extensionId, messageType, direction, dateFrom, maxRecords }) =>
      extensionId === own?.extensionId &&
      dateFrom === retentionStart &&
      [messageType, direction, maxRecords].every((limit) => limit === undefined),
  );
}

/** Returns the command line that answers a message. A text begins after `--`, because it may begin with a minus. */
function wordsOf(row: ExportRow, text: string): readonly string[] {
  if (row.type === 'Pager') return ['pager', 'reply', row.id, '--', text];
  const parties = peerOf(row);
  if (!parties)
    throw new PageError(422, 'this page cannot reply to several numbers; use the command sms send --group');
  return ['sms', 'send', '--to', parties.peer, '--from', parties.own, '--', text];
}
