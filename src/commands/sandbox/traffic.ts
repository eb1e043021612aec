import type { Context } from '../../runtime/context.ts';
import { control, type WhichSandbox } from './control.ts';
import { viewOfRecord } from './views.ts';

export interface SandboxTrafficOptions extends WhichSandbox {
  readonly action: 'show' | 'start' | 'stop';
  readonly perMinute: number;
  /** Seconds. */
  readonly for?: number;
  readonly kinds: readonly string[];
}

/** Starts, stops or shows the made-up traffic of a sandbox. */
export async function sandboxTrafficCommand(ctx: Context, options: SandboxTrafficOptions): Promise<void> {
  const state = await act(ctx, options);
  await ctx.out.record({ ...state }, viewOfRecord(state));
}

function act(ctx: Context, options: SandboxTrafficOptions): Promise<object> {
  const { action, perMinute, for: seconds, kinds } = options;
  if (action === 'show') return control(ctx, options, 'GET', '/traffic');
  if (action === 'stop') return control(ctx, options, 'DELETE', '/traffic');
  return control(ctx, options, 'POST', '/traffic', {
    perMinute,
    ...(seconds !== undefined && { seconds }),
    ...(kinds.length > 0 && { kinds }),
  });
}
