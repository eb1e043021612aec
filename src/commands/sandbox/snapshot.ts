import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { control, type WhichSandbox } from './control.ts';
import { viewOf } from './views.ts';

export interface SandboxSnapshotOptions extends WhichSandbox {
  readonly action: 'list' | 'save' | 'load';
  readonly name?: string;
}
type Row = Readonly<Record<string, unknown>>;

const view = viewOf(['name', 'bytes', 'savedAt'], 'No snapshots.');

/** Keeps the state of a sandbox, returns to one, or lists what is kept. */
export async function sandboxSnapshotCommand(ctx: Context, options: SandboxSnapshotOptions): Promise<void> {
  const { action, name } = options;
  if (action === 'list') {
    const { records } = await control<{ readonly records: readonly Row[] }>(
      ctx,
      options,
      'GET',
      '/snapshots',
    );
    await ctx.out.list(records, view);
    return;
  }
  if (name === undefined) throw usageError(`${action} needs the name of the snapshot`);
  const snapshot =
    action === 'save'
      ? await control<Row>(ctx, options, 'POST', '/snapshots', { name })
      : await control<Row>(ctx, options, 'POST', `/snapshots/${encodeURIComponent(name)}/load`, {});
  await ctx.out.record(snapshot, view);
}
