import type { PathSources } from '../config/paths.ts';
import { safe } from '../platform/terminal-text.ts';
import { forBash, splitBashLine } from './bash-line.ts';
import { complete, type Completion } from './complete.ts';
import { liveValues } from './live-values.ts';
import type { CompletionTable } from './table.ts';

/**
 * What `ucctl __complete` prints for the scripts of `ucctl completion`: a first line that says what the shell does itself (`files`,
 * `folders`, `none`), then a candidate a line, a tab and what it is.
 *
 * Words: `bash LINE` with the line up to the cursor; or `words =CURRENT BEFORE...`, the sign so that an empty word is not lost on the way.
 */
export function answer(words: readonly string[], table: CompletionTable, system: PathSources): string {
  const [form, given = '', ...rest] = words;
  const live: Parameters<typeof complete>[3] = (kind, typed) => liveValues(system, kind, typed);
  if (form === 'bash') {
    const line = splitBashLine(given);
    const found = complete(table, line.before.slice(1), line.current, live);
    return lines(found, (value) => forBash(value, line));
  }
  return lines(complete(table, rest, given.slice(1), live), (value) => value);
}

function lines({ candidates, paths }: Completion, shown: (value: string) => string): string {
  const rows = candidates
    // What the service calls things must not reach a terminal raw, and what was made visible is no value any more.
    .filter(({ value }) => safe(value) === value)
    .map(({ value, about }) => (about ? `${shown(value)}\t${safe(about)}` : shown(value)));
  return `${[paths ?? 'none', ...rows].join('\n')}\n`;
}
