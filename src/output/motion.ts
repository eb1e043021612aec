import type { Sink } from '../runtime/system.ts';

/** What decides whether something on the terminal may move. */
interface MotionSettings {
  readonly stderr: Sink;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly quiet?: boolean | undefined;
  readonly accessible?: boolean | undefined;
}

/** A picture that moves is not for every terminal, nor for everyone. */
export function drawsInPlace(settings: MotionSettings): boolean {
  const { env } = settings;
  return !isAccessible(settings) && env['TERM'] !== 'dumb';
}

/** `--accessible`, or `UCCTL_ACCESSIBLE` for every command of a person. */
function isAccessible({ accessible, env }: MotionSettings): boolean {
  return accessible ?? !['', '0', 'false', undefined].includes(env['UCCTL_ACCESSIBLE']);
}

/** Whether work on its way shows a spinner. */
export function showsSpinner(settings: MotionSettings): boolean {
  const { stderr, env, quiet } = settings;
  return stderr.isTerminal && !quiet && !env['CI'] && env['TERM'] !== 'dumb' && !isAccessible(settings);
}
