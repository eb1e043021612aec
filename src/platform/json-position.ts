/** Position of a JSON syntax error; line and column start at 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

const scalar =
  /(?:"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;
const string = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const space = /[ \t\r\n]*/y;

class Misplaced extends Error {
  readonly offset: number;
  constructor(offset: number) {
    super('not JSON');
    this.offset = offset;
  }
}

/**
 * Returns the position of the first syntax error, which the message of Node 20 does not contain. Undefined for valid
 * JSON.
 */
export function locateJsonError(text: string): TextPosition | undefined {
  try {
    const end = skip(text, value(text, skip(text, 0)));
    if (end < text.length) throw new Misplaced(end);
    return undefined;
  } catch (error) {
    if (!(error instanceof Misplaced)) throw error;
    const before = text.slice(0, error.offset).split('\n');
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  }
}

function value(text: string, at: number): number {
  const opening = text[at];
  if (opening === '[') return items(text, at, ']', value);
  if (opening === '{') return items(text, at, '}', member);
  return match(scalar, text, at);
}

function member(text: string, at: number): number {
  const colon = skip(text, match(string, text, at));
  if (text[colon] !== ':') throw new Misplaced(colon);
  return value(text, skip(text, colon + 1));
}

function items(
  text: string,
  open: number,
  close: string,
  item: (text: string, at: number) => number,
): number {
  let at = skip(text, open + 1);
  if (text[at] === close) return at + 1;
  for (;;) {
    at = skip(text, item(text, at));
    if (text[at] === close) return at + 1;
    if (text[at] !== ',') throw new Misplaced(at);
    at = skip(text, at + 1);
  }
}

function match(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  if (!pattern.test(text)) throw new Misplaced(at);
  return pattern.lastIndex;
}

function skip(text: string, at: number): number {
  return match(space, text, at);
}
