import { callsOf, eraseCalls } from '../../features/call-mirror/index.ts';
import {
  changeCopy,
  dropUnfinishedMedia,
  eraseNumber,
  requireCopy,
  tidyMedia,
  type Traces,
  tracesOf,
} from '../../features/mirror/index.ts';
import { counted } from '../../platform/counted.ts';
import { isE164 } from '../../platform/e164.ts';
import type { Context } from '../../runtime/context.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';
import { CommandError, Exit, usageError } from '../../errors/command.ts';
import type { View } from '../../runtime/output.ts';

export interface SyncEraseOptions extends CopyOptions {
  readonly number: string;
}

interface Erased extends Traces {
  readonly number: string;
  readonly erased: boolean;
  /** Call records with the number, of `calllog sync`. */
  readonly calls: number;
}

const view: View<Erased> = {
  columns: [
    { key: 'number', title: 'NUMBER', kind: 'phone', value: (row) => row.number },
    { key: 'erased', title: 'ERASED', value: (row) => row.erased },
    { key: 'messages', title: 'MESSAGES', kind: 'number', value: (row) => row.messages },
    { key: 'versions', title: 'VERSIONS', kind: 'number', value: (row) => row.versions },
    { key: 'attachments', title: 'ATTACHMENTS', kind: 'number', value: (row) => row.attachments },
    { key: 'calls', title: 'CALLS', kind: 'number', value: (row) => row.calls },
  ],
};

/** `sync erase`: says what would go, asks, removes. */
export async function eraseFromCopy(ctx: Context, options: SyncEraseOptions): Promise<void> {
  const { number } = options;
  if (!isE164(number)) throw usageError(`"${number}" is not an E.164 number`, 'e.g. +15555550100');
  requireCopy(ctx, options);
  await changeCopy(ctx, options, async (db, file) => {
    const traces = tracesOf(db, number);
    const calls = callsOf(db, number);
    ctx.out.preview(preview(number, traces, calls));
    if (!ctx.dryRun) {
      if (!(await ctx.prompt.confirm('Erase them for good?'))) {
        throw new CommandError('not_confirmed', Exit.refused, 'nothing was erased');
      }
      // First: the compaction at the end of eraseNumber takes the place of both.
      eraseCalls(db, number);
      eraseNumber(db, number, ctx.now());
      await tidyMedia(db, file);
      await dropUnfinishedMedia(file);
    }
    await ctx.out.record({ number, erased: !ctx.dryRun, ...traces, calls }, view);
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
      ? `${number}: nothing of it is copied, and nothing will be`
      : `${number}: ${found.join(', ')}${time}`,
    ...exports.map((target) => `exported earlier, look there too: ${target}`),
  ].join('\n');
}
