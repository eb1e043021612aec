import type { ListContent } from './rows.ts';

/** Empty lines, comments and the start of a document. Each line matches in one way only, so that the search is fast. */
const start = String.raw`^\uFEFF?(?:[^\S\n]*(?:---[^\S\n]*|#[^\n]*)?\n)*`;

/**
 * Whether a list is a desired state in YAML or JSON. Recognizes it by the file extension, else by its first key, so that
 * an export may have any file name.
 * @param key the key of the list, such as `queues`
 */
export function isYamlList(content: ListContent, file: string, key: string): content is string {
  if (typeof content !== 'string') return false;
  return /\.(ya?ml|json)$/i.test(file) || new RegExp(`${start}(?:${key}\\s*:|\\{\\s*"${key}")`).test(content);
}
