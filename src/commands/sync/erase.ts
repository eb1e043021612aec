import {
  changeCopy,
  deleteUnusedMedia,
  dropUnfinishedMedia,
  LegalHoldError,
  requireCopy,
} from '../../features/mirror/index.ts';
import type { Traces } from '../../store/message-store.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { counted } from '../../platform/counted.ts';
import { readNumber } from '../../features/outgoing/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';
import { hintFor } from '../../runtime/hint-for.ts';
import { requireConfirmation } from '../../runtime/require-confirmation.ts';
import { erasedRows } from './erase.rows.ts';

export interface SyncEraseOptions extends CopyOptions {
  readonly phone: string;
}

/** `sync erase`: shows the data of a number, asks for confirmation, and erases the data. */
export async function eraseFromCopy(ctx: Context, options: SyncEraseOptions): Promise<void> {
  const { number } = await readNumber(ctx, '--phone', options.phone, { force: true });
  requireCopy(ctx, options);
  await changeCopy(ctx, options, async ({ messages, calls: callStore, media }) => {
    const traces = await messages.traces(number);
    const calls = await callStore.callsOf(number);
    const hold = traces.hold === null ? undefined : new LegalHoldError(traces.hold);
    if (hold && !ctx.dryRun) throw hold;
    ctx.out.preview([preview(number, traces, calls), ...(hold ? [holdLine(ctx, hold)] : [])].join('\n'));
    if (!ctx.dryRun) {
      await requireConfirmation(ctx, 'Erase this data permanently?', 'nothing was erased');
      try {
        await messages.erase(number, ctx.now());
      } finally {
        await deleteUnusedMedia(ctx, { messages, media });
        await dropUnfinishedMedia(media);
      }
    }
    await ctx.out.record({ number, erased: !ctx.dryRun, ...traces, calls }, erasedRows.list);
  });
}

function preview(
  number: string,
  { messages, versions, attachments, first, last, exports }: Traces,
  calls: number,
): string {
  const time = first === null ? '' : `, ${first} to ${last ?? first}`;
  const found = [
    counted(messages, 'message'),
    counted(versions, 'older version'),
    counted(attachments, 'attachment'),
    counted(calls, 'call record'),
  ];
  return [
    messages === 0 && calls === 0
      ? `${number}: the local mailbox copy has no data of this number, and later syncs will not copy such data`
      : `${number}: ${found.join(', ')}${time}`,
    ...exports.map((target) => `earlier exports that may still contain the number: ${target}`),
  ].join('\n');
}

function holdLine(ctx: Context, { message }: LegalHoldError): string {
  const step = hintFor(ctx, nextStep`to show the legal holds: ${ucctl('store hold')}`);
  return `${message}, so nothing can be erased; ${step}`;
}
