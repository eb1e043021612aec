import { styleText } from 'node:util';
import { search } from '@inquirer/prompts';
import { safe } from '../platform/terminal-text.ts';
import { fold, widthOf } from '../platform/text-width.ts';
import type { Prompt, SearchChoice } from '../runtime/context.ts';
import { searchNames } from './search-names.ts';
import { suspendable, type QuestionStreams } from './suspendable.ts';

type Refresh = Parameters<Prompt['search']>[2];

/** The places where a line of the list may be broken: between cells, and between caller and called party. */
const cellEnd = / {2,}| (?=→ )/u;

/** Wraps a line of the list after the pointer before it, with a hanging indent. Cells are wrapped only if necessary. */
export function wrapped(label: string, columns = 80): string {
  const room = columns - 6;
  if (room < 10 || widthOf(label) <= room) return label;
  const lines: string[] = [];
  for (const cell of label.split(cellEnd)) {
    const joined = `${lines.at(-1) ?? ''}${cell.startsWith('→') ? ' ' : '  '}${cell}`;
    if (lines.length > 0 && widthOf(joined) <= room) lines[lines.length - 1] = joined;
    else lines.push(...fold(cell, room));
  }
  return lines.join('\n    ');
}

/** Maximum number of lines of the list on the screen. */
const longestPage = 10;

/** Lines for the question, the empty line and the keys, which take two lines on a narrow terminal. */
const otherLines = 4;

/**
 * Returns the number of lines for the list, so that question and list fit on a low terminal, such as a split window. A
 * terminal of unknown size reports no lines.
 */
export function pageSizeOf(rows: number | undefined): number {
  return rows ? Math.max(1, Math.min(longestPage, rows - otherLines)) : longestPage;
}

type Key = readonly [key: string, action: string];

/** Returns the line about the keys. It names the number of matches if not all of them are on the screen. */
function keyLine(keys: readonly Key[], hiddenOf: number | undefined): string {
  const more: readonly Key[] = hiddenOf === undefined ? [] : [['type', `to search ${hiddenOf} matches`]];
  return [...keys, ...more]
    .map(([key, action]) => `${styleText('bold', key)} ${styleText('dim', action)}`)
    .join(styleText('dim', ' • '));
}

/** Offers a list with a search field. Updated choices replace the initial choices at the next key. */
export async function searchPrompt(
  question: string,
  { choices, refresh }: { readonly choices: readonly SearchChoice[]; readonly refresh: Refresh },
  { input, output, signal }: QuestionStreams,
): Promise<string> {
  const ended = new AbortController();
  const aborted = AbortSignal.any([signal, ended.signal]);
  let current = choices;
  const update = async (): Promise<void> => {
    const read = (await refresh?.(aborted)) ?? [];
    if (read.length > 0) current = read;
  };
  // After a failure, the initial choices remain: the command itself reports problems with the service.
  update().catch(() => undefined);
  const pageSize = pageSizeOf(output?.rows);
  let typed = '';
  let hiddenOf: number | undefined;
  const source = (term = ''): { readonly value: string; readonly name: string }[] => {
    typed = term;
    const { found, total } = searchNames(current, term);
    const shown = found.map(({ value, label }) => ({ value, name: wrapped(safe(label), output?.columns) }));
    const lines = shown.reduce((sum, { name }) => sum + name.split('\n').length, 0);
    hiddenOf = lines > pageSize || total > found.length ? total : undefined;
    return shown;
  };
  const theme = { style: { keysHelpTip: (keys: readonly Key[]) => keyLine(keys, hiddenOf) } };
  try {
    const streams = { signal, ...(input && { input }), ...(output && { output }) };
    return await suspendable(streams, (context) => {
      const config = { message: safe(question), pageSize, source, initialValue: typed, theme };
      return search<string>(config, context);
    });
  } finally {
    // Aborts a request for choices that are no longer needed.
    ended.abort();
  }
}
