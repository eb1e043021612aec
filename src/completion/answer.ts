import type { PathSources } from '../config/paths.ts';
import { safe } from '../platform/terminal-text.ts';
import { forBash, splitBashLine } from './bash-line.ts';
import { commandToRead } from './command-to-read.ts';
import { complete, type Completion, type LiveValues } from './complete.ts';
import { dialectOf, liveValues } from './live-values.ts';
import type { CompletionTable } from './table.ts';

/**
 * Returns the output of `ucctl __complete` for the scripts of `ucctl completion`: a first line with the paths that the
 * shell completes itself (`files`, `folders`, `none`), then one candidate per line, with its description after a tab.
 *
 * Words: `bash LINE` with the line up to the cursor, or `words =CURRENT BEFORE...`. The sign keeps an empty CURRENT as
 * a word.
 */
export function answer(words: readonly string[], table: CompletionTable, system: PathSources): string {
  return answerWith(words, table, {
    valuesOf: (kind, given) => liveValues(system, kind, given),
    dialectOf: (given) => dialectOf(system, given),
  });
}

/**
 * Returns the words of the command that reads the names for this answer, if no list of them is cached yet. At most one
 * attempt per profile and minute, so that a Tab without a network waits only once. Undefined if nothing is to be read.
 */
export function namesToRead(
  words: readonly string[],
  table: CompletionTable,
  system: PathSources & { readonly now: number },
): readonly string[] | undefined {
  let command: readonly string[] | undefined;
  answerWith(words, table, {
    valuesOf: (kind, given) => {
      command ??= commandToRead(system, kind, given);
      return [];
    },
    dialectOf: () => 'spec',
  });
  return command;
}

function answerWith(
  [form, given = '', ...rest]: readonly string[],
  table: CompletionTable,
  live: LiveValues,
): string {
  if (form === 'bash') {
    const line = splitBashLine(given);
    const found = complete(table, line.before.slice(1), line.current, live);
    return lines(found, (value) => forBash(value, line));
  }
  return lines(complete(table, rest, given.slice(1), live), (value) => value);
}

function lines({ candidates, paths }: Completion, shown: (value: string) => string): string {
  const rows = candidates
    // Names from the service that contain control characters are omitted: escaped, they are no longer valid values.
    .filter(({ value }) => safe(value) === value)
    .map(({ value, about }) => (about ? `${shown(value)}\t${safe(about)}` : shown(value)));
  return `${[paths ?? 'none', ...rows].join('\n')}\n`;
}
