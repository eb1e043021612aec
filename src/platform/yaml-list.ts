import { isScalar, LineCounter, parseDocument, visit, type Node } from 'yaml';

/** A problem of a YAML file, with its place. */
interface YamlProblem {
  readonly place: { readonly file: string; readonly line: number; readonly column: string };
  readonly text: string;
  readonly more?: readonly string[] | undefined;
}

const severalDocuments =
  'a second document begins here, but a list is one document; move its entries into the first one';

/**
 * A YAML file that describes a desired state, with its problems: first those of its syntax, then those that its reader
 * finds. Aliases are problems, because the readers of such files do not follow them, and would ignore their values.
 */
export class YamlList {
  readonly #file: string;
  readonly #lines = new LineCounter();
  readonly #problems: YamlProblem[] = [];
  /** The content of the document; undefined if there are problems. */
  readonly contents: unknown;

  /** @param schema `failsafe` reads every scalar as text */
  constructor(text: string, file: string, schema: 'core' | 'failsafe') {
    this.#file = file;
    // Without `prettyErrors`, a message does not repeat its place, which the list adds.
    const options = { schema, lineCounter: this.#lines, uniqueKeys: true, prettyErrors: false } as const;
    const document = parseDocument(text, options);
    for (const { pos, code, message } of document.errors)
      this.#add(pos[0], code === 'MULTIPLE_DOCS' ? severalDocuments : message);
    visit(document, {
      Alias: (_key, node) =>
        this.problem(
          node,
          `"*${node.source}" is an alias, which ucctl does not read; write the value itself`,
        ),
    });
    if (!this.hasProblems) this.contents = document.contents;
  }

  get problems(): readonly YamlProblem[] {
    return this.#problems;
  }

  get hasProblems(): boolean {
    return this.#problems.length > 0;
  }

  /** Adds a problem at a node; at the start of the file if there is no node. */
  problem(node: unknown, text: string, more?: readonly string[]): void {
    this.#add(offsetOf(node), text, more);
  }

  /** Returns the place of a node, without its column. */
  placeOf(node: unknown): { readonly file: string; readonly line: number } {
    return { file: this.#file, line: this.#lines.linePos(offsetOf(node)).line };
  }

  #add(offset: number, text: string, more?: readonly string[]): void {
    const { line, col } = this.#lines.linePos(offset);
    this.#problems.push({ place: { file: this.#file, line, column: String(col) }, text, more });
  }
}

function offsetOf(node: unknown): number {
  return (node as Node | null | undefined)?.range?.[0] ?? 0;
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
