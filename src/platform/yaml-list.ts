import { isScalar, parseDocument, visit, type LineCounter, type Node } from 'yaml';

/** A YAML file that describes a desired state, with the problems of its syntax. */
export interface YamlList {
  /** The content of the document; undefined if there are problems. */
  readonly contents: unknown;
  readonly problems: readonly { readonly offset: number; readonly text: string }[];
}

const severalDocuments =
  'a second document begins here, but a list is one document; move its entries into the first one';

/**
 * Parses a YAML file that describes a desired state. Rejects aliases, because the readers of such files do not follow
 * them, and would ignore their values.
 * @param schema `failsafe` reads every scalar as text
 */
export function parseYamlList(text: string, lineCounter: LineCounter, schema: 'core' | 'failsafe'): YamlList {
  // Without `prettyErrors`, a message does not repeat its place, which the reader of the list adds.
  const document = parseDocument(text, { schema, lineCounter, uniqueKeys: true, prettyErrors: false });
  const problems = document.errors.map(({ pos, code, message }) => ({
    offset: pos[0],
    text: code === 'MULTIPLE_DOCS' ? severalDocuments : message,
  }));
  const reject = ({ source }: { readonly source: string }, { range }: Node): void => {
    const text = `"*${source}" is an alias, which ucctl does not read; write the value itself`;
    problems.push({ offset: range?.[0] ?? 0, text });
  };
  visit(document, { Alias: (_key, node) => reject(node, node) });
  return problems.length > 0 ? { contents: undefined, problems } : { contents: document.contents, problems };
}

/**
 * Returns the text of a scalar that the schema `failsafe` has read; undefined for a null without quotes, which a template
 * writes for an unset variable.
 */
export function scalarText(node: unknown): string | undefined {
  if (!isScalar(node) || typeof node.value !== 'string' || isNullScalar(node)) return undefined;
  return node.value.trim();
}

/** Whether a node is `null` or `~` without quotes, which the schema `failsafe` reads as text. */
export function isNullScalar(node: unknown): boolean {
  return isScalar(node) && node.type === 'PLAIN' && /^(?:~|null|Null|NULL)$/.test(String(node.value));
}
