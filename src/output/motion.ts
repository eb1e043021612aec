import type { Sink } from '../runtime/streams.ts';

/** Settings that decide whether the terminal may be redrawn. */
interface MotionSettings {
  readonly stderr: Sink;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly quiet?: boolean | undefined;
  readonly accessible?: boolean | undefined;
}

/** Returns whether lines may be redrawn: not on a terminal without cursor control, nor for screen readers. */
export function drawsInPlace(settings: MotionSettings): boolean {
  const { env } = settings;
  return !isAccessible(settings) && env['TERM'] !== 'dumb';
}

/** Returns whether output is for a screen reader: set by `--accessible`, otherwise by `UCCTL_ACCESSIBLE`. */
export function isAccessible({ accessible, env }: Pick<MotionSettings, 'accessible' | 'env'>): boolean {
  return accessible ?? !['', '0', 'false', undefined].includes(env['UCCTL_ACCESSIBLE']);
}

/** Returns whether a spinner is shown. */
export function showsSpinner(settings: MotionSettings): boolean {
  const { stderr, env, quiet } = settings;
  return stderr.isTerminal && !quiet && !env['CI'] && env['TERM'] !== 'dumb' && !isAccessible(settings);
}
