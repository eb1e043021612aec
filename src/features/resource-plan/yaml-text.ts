import type { ListContent, ListProblem } from '../bulk/index.ts';

/**
 * Returns the text of a file that can be YAML, or the problem of a table, such as the CSV output of an export.
 * @param noun the noun of the commands
 */
export function yamlText(content: ListContent, file: string, noun: string): string | ListProblem {
  if (typeof content === 'string' && !isCsv(content)) return content;
  const text = `${file} is a table, but this command reads YAML; to create such a file: ucctl ${noun} export > ${noun}.yaml`;
  return { place: undefined, text };
}

/**
 * Whether the first line of a text has several cells. In a YAML file, the line ends with a colon. YAML has no tabs there, but
 * a cell of a table can contain a time.
 */
function isCsv(text: string): boolean {
  const first = text.split(/\r?\n/, 50).find((line) => line.trim() !== '' && !line.startsWith('#')) ?? '';
  return first.includes('\t') || (/[,;]/.test(first) && !/[:{[]/.test(first));
}
