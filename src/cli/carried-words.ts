import { flagOf } from './flags.ts';
import type { GlobalOptions } from './global-options.ts';

/** For every command line that one runs on behalf of another: how to reach the service, and how to show things. */
const always = [
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
  'lang',
  'yes',
  'noInput',
] as const satisfies readonly (keyof GlobalOptions)[];
/** For one whose result is the result. */
const forResult = [
  'json',
  'jq',
  'fields',
  'sort',
  'noHeader',
  'csvRaw',
] as const satisfies readonly (keyof GlobalOptions)[];

/** The global flags of a run, as words for another command line that it runs (`Context.run`). */
export function carriedWords(globals: GlobalOptions, isResult: boolean): readonly string[] {
  return [...always, ...(isResult ? forResult : [])].flatMap((key) => {
    const value = globals[key];
    if (value === undefined || value === false) return [];
    if (value === true) return [flagOf(key)];
    // `--json` alone is that of its value '', and takes one only behind `=`.
    if (key === 'json') return value === '' ? ['--json'] : [`--json=${String(value)}`];
    return (Array.isArray(value) ? value : [value]).flatMap((one) => [flagOf(key), String(one)]);
  });
}
