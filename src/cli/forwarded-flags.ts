import { flagOf } from './flags.ts';
import type { GlobalOptions } from './global-options.ts';

/** Flags that are passed to every nested command line: access to the service and the output of messages. */
const always = [
  'profile',
  'baseUrl',
  'accessible',
  'quiet',
  'color',
  'tz',
  'timeout',
  'retry',
  'maxWait',
  'proxy',
  'caFile',
  'dialect',
  'store',
  'lang',
  'yes',
  'noInput',
] as const satisfies readonly (keyof GlobalOptions)[];
/** Flags for a nested command line whose result is the result of the run. */
const forResult = [
  'json',
  'jq',
  'fields',
  'sort',
  'noHeader',
  'csvRaw',
] as const satisfies readonly (keyof GlobalOptions)[];

/** Returns the global flags of a run as words of a nested command line (`Context.run`). */
export function forwardedFlags(globals: GlobalOptions, isResult: boolean): readonly string[] {
  return [...always, ...(isResult ? forResult : [])].flatMap((key) => {
    const value = globals[key];
    if (value === undefined || value === false) return [];
    if (value === true) return [flagOf(key)];
    // `--json` without fields has the value ''; a value must be joined with `=`.
    if (key === 'json') return value === '' ? ['--json'] : [`--json=${String(value)}`];
    return (Array.isArray(value) ? value : [value]).flatMap((one) => [flagOf(key), String(one)]);
  });
}
