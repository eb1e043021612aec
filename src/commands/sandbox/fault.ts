import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { control, type WhichSandbox } from './control.ts';
import { faultRows } from './fault.rows.ts';
import type { RowOf } from '../../runtime/rows.ts';

export interface SandboxFaultOptions extends WhichSandbox {
  readonly action: 'list' | 'add' | 'clear';
  readonly kind?: string;
  readonly operation?: string;
  readonly extension?: string;
  readonly status?: number;
  readonly milliseconds?: number;
  readonly retryAfter?: number;
  readonly after: number;
  readonly times: number;
  readonly percent: number;
}
interface Faults {
  readonly records: readonly RowOf<typeof faultRows>[];
}

/** Adds a fault or removes all faults, then lists the faults. */
export async function sandboxFaultCommand(ctx: Context, options: SandboxFaultOptions): Promise<void> {
  if (options.action === 'add') await add(ctx, options);
  if (options.action === 'clear') await control(ctx, options, 'DELETE', '/faults');
  const { records } = await control<Faults>(ctx, options, 'GET', '/faults');
  await ctx.out.list(records, faultRows.list);
}

async function add(ctx: Context, options: SandboxFaultOptions): Promise<void> {
  const { kind, operation, extension, status, milliseconds, retryAfter, after, times, percent } = options;
  if (kind === undefined)
    throw usageError(
      'sandbox fault add requires a kind of fault',
      nextStep`to list the kinds: ${ucctl('sandbox fault --help')}`,
    );
  await control(ctx, options, 'POST', '/faults', {
    kind,
    after,
    times,
    probability: percent / 100,
    ...(operation !== undefined && { operation }),
    ...(extension !== undefined && { extension }),
    ...(status !== undefined && { status }),
    ...(milliseconds !== undefined && { milliseconds }),
    ...(retryAfter !== undefined && { retryAfter }),
  });
}
