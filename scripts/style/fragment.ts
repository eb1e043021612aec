/** Patterns for identifiers are tried on names, those for phrases on everything else. */
export type FragmentKind = 'identifier' | 'file name' | 'string' | 'comment' | 'prose';

/** A text that a person reads, with its place in the repository. */
export interface Fragment {
  readonly file: string;
  /** The line where the text begins, from 1. */
  readonly line: number;
  readonly kind: FragmentKind;
  /** Names as lower-case words; the code within a template as `${…}`. */
  readonly text: string;
}

/** The words of an identifier or file name in lower case: `agentList` and `agent-list` are both `agent list`. */
export function wordsOf(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replaceAll(/[^A-Za-z\d]+/g, ' ')
    .trim()
    .toLowerCase();
}
