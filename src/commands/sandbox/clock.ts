import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { control, type WhichSandbox } from './control.ts';
import { clockRows } from './state.rows.ts';
import { secondsIn } from '../../platform/duration.ts';

export interface SandboxClockOptions extends WhichSandbox {
  readonly action: 'show' | 'advance' | 'freeze' | 'resume' | 'speed';
  readonly value?: string;
}
interface ClockState {
  readonly time: string;
  readonly mode: string;
  readonly fired?: readonly { readonly due: string; readonly kind: string; readonly subject: string }[];
}

/** Shows or changes the clock of a sandbox, and lists the timers that fired. */
export async function sandboxClockCommand(ctx: Context, options: SandboxClockOptions): Promise<void> {
  const state = await act(ctx, options);
  for (const { due, kind, subject } of state.fired ?? []) ctx.out.note(`${due}  ${kind}  ${subject}`);
  await ctx.out.record({ ...state, fired: state.fired ?? [] }, clockRows.record);
}

function act(ctx: Context, options: SandboxClockOptions): Promise<ClockState> {
  const { action, value } = options;
  const setMode = (mode: string) => control<ClockState>(ctx, options, 'POST', '/clock', { mode });
  switch (action) {
    case 'advance':
      return control<ClockState>(ctx, options, 'POST', '/clock/advance', { seconds: seconds(value) });
    case 'freeze':
      return setMode('frozen');
    case 'resume':
      return setMode('real');
    case 'speed':
      return setMode(speed(value));
    case 'show':
    default:
      return control<ClockState>(ctx, options, 'GET', '/clock');
  }
}

function seconds(text: string | undefined): number {
  const found = secondsIn(text ?? '');
  if (!Number.isNaN(found)) return found;
  throw usageError(
    text === undefined ? 'the duration is missing' : `"${text}" is not a valid duration`,
    nextStep`specify how far to advance the clock, for example: ${ucctl('sandbox clock advance 2h')}; the units are s, m, h, d and w`,
  );
}

function speed(text: string | undefined): string {
  const factor = Number(/^(\d+(?:\.\d+)?)x?$/.exec(text ?? '')?.[1]);
  if (!(factor > 0))
    throw usageError(
      text === undefined ? 'the speed is missing' : `"${text}" is not a valid speed`,
      nextStep`specify how many times faster the clock runs, for example: ${ucctl('sandbox clock speed 60x')}`,
    );
  return `${factor}x`;
}
