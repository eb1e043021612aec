import type { Settings } from './settings.ts';

/**
 * Seconds that `--wait` lasts at most: what `--wait-timeout` says, else a `--timeout` of the command line, else what is usual for the command. A
 * `timeout` of the profile or the environment is about replies only.
 */
export function waitLimit(
  { timeoutSeconds }: Pick<Settings, 'timeoutSeconds'>,
  given: number | undefined,
  usual: number,
): number {
  return given ?? (timeoutSeconds.origin === 'flag' ? timeoutSeconds.value : usual);
}
