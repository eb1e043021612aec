import type { Context } from '../../runtime/context.ts';
import type { RowOf } from '../../runtime/rows.ts';
import { control, type WhichSandbox } from './control.ts';
import { trafficRows } from './state.rows.ts';
import { viewOfPresent } from './views.ts';

export interface SandboxTrafficOptions extends WhichSandbox {
  readonly action: 'show' | 'start' | 'stop';
  readonly perMinute: number;
  /** The duration is in seconds. */
  readonly for?: number;
  readonly kinds: readonly string[];
}

type State = RowOf<typeof trafficRows>;

/** Starts, stops or shows the traffic generator of a sandbox. */
export async function sandboxTrafficCommand(ctx: Context, options: SandboxTrafficOptions): Promise<void> {
  const state = await act(ctx, options);
  await ctx.out.record(state, viewOfPresent(trafficRows.record, state));
}

function act(ctx: Context, options: SandboxTrafficOptions): Promise<State> {
  const { action, perMinute, for: seconds, kinds } = options;
  if (action === 'show') return control<State>(ctx, options, 'GET', '/traffic');
  if (action === 'stop') return control<State>(ctx, options, 'DELETE', '/traffic');
  return control<State>(ctx, options, 'POST', '/traffic', {
    perMinute,
    ...(seconds !== undefined && { seconds }),
    ...(kinds.length > 0 && { kinds }),
  });
}
