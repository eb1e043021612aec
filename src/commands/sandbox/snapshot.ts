import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { ucctl } from '../../errors/hint.ts';
import { control, type WhichSandbox } from './control.ts';
import { snapshotRows } from './state.rows.ts';
import type { RowOf } from '../../runtime/rows.ts';

export interface SandboxSnapshotOptions extends WhichSandbox {
  readonly action: 'list' | 'save' | 'load';
  readonly name?: string;
}
type Row = RowOf<typeof snapshotRows>;

/** Saves or restores the state of a sandbox, or lists the saved states. */
export async function sandboxSnapshotCommand(ctx: Context, options: SandboxSnapshotOptions): Promise<void> {
  const { action, name } = options;
  if (action === 'list') {
    const { records } = await control<{ readonly records: readonly Row[] }>(
      ctx,
      options,
      'GET',
      '/snapshots',
    );
    await ctx.out.list(records, snapshotRows.list);
    return;
  }
  if (name === undefined)
    throw usageError('the name of the snapshot is missing', ucctl`sandbox snapshot ${action} NAME`);
  const snapshot =
    action === 'save'
      ? await control<Row>(ctx, options, 'POST', '/snapshots', { name })
      : await control<Row>(ctx, options, 'POST', `/snapshots/${encodeURIComponent(name)}/load`, {});
  await ctx.out.record(snapshot, snapshotRows.record);
}
