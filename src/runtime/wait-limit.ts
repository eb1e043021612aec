import type { Settings } from './settings.ts';

/**
 * Returns the maximum duration of `--wait` in seconds: `--wait-timeout`, else `--timeout` of the command line, else the
 * default of the command. A `timeout` of the profile or the environment applies to replies only.
 */
export function waitLimit(
  { timeoutSeconds }: Pick<Settings, 'timeoutSeconds'>,
  given: number | undefined,
  usual: number,
): number {
  return given ?? (timeoutSeconds.origin === 'flag' ? timeoutSeconds.value : usual);
}
