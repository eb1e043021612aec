import { type ESTree, parseSync, Visitor } from 'rolldown/utils';
import { type Fragment, type FragmentKind, wordsOf } from './fragment.ts';

type Text = Omit<Fragment, 'file'>;
interface Comment {
  readonly type: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** The names, strings and comments of a file of code, by line. */
export function codeTexts(file: string, source: string): readonly Text[] {
  const { program, comments, errors } = parseSync(file, source);
  if (errors[0]) throw new Error(`${file} cannot be parsed: ${errors[0].message}`);
  const lineAt = lineFinder(source);
  const found: Text[] = [];
  const add = (kind: FragmentKind, start: number, text: string): void => {
    if (text.trim() !== '') found.push({ line: lineAt(start), kind, text });
  };
  const addName = ({ start, name }: { readonly start: number; readonly name: string }): void =>
    add('identifier', start, wordsOf(name));
  // Offsets of strings that are not texts (module names) or that were read as a part of a longer text.
  const skipped = new Set<number>();
  const skipSource = ({ source: from }: { readonly source: { readonly start: number } | null }): void => {
    if (from) skipped.add(from.start);
  };
  const addText = (node: ESTree.Expression): void => {
    if (skipped.has(node.start)) return;
    const text = staticText(node, (part) => skipped.add(part));
    if (text !== undefined) add('string', node.start, text);
    skipped.add(node.start);
  };
  new Visitor({
    ImportDeclaration: skipSource,
    ExportNamedDeclaration: skipSource,
    ExportAllDeclaration: skipSource,
    ImportExpression: skipSource,
    Identifier: addName,
    PrivateIdentifier: addName,
    BinaryExpression: addText,
    Literal: addText,
    TemplateLiteral: addText,
    TemplateElement() {},
    JSXText: ({ start, value }) => add('string', start, value),
  }).visit(program);
  for (const { start, text } of sentencesOf(comments, source)) add('comment', start, text);
  return found.toSorted((one, other) => one.line - other.line);
}

/** The text of a string, a template or a sum of them, and reports the offset of each part; undefined for any other expression. */
function staticText(node: ESTree.Expression, onPart: (start: number) => void): string | undefined {
  if (node.type === 'Literal') {
    if (typeof node.value !== 'string') return undefined;
    onPart(node.start);
    return node.value;
  }
  if (node.type === 'TemplateLiteral') {
    onPart(node.start);
    return node.quasis.map(({ value }) => value.cooked ?? value.raw).join('${…}');
  }
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined;
  const left = staticText(node.left, onPart);
  const right = staticText(node.right, onPart);
  if (left === undefined && right === undefined) return undefined;
  onPart(node.start);
  return `${left ?? '${…}'}${right ?? '${…}'}`;
}

/** Comments without their marks; consecutive line comments are one text. */
function sentencesOf(
  comments: readonly Comment[],
  source: string,
): readonly { readonly start: number; readonly text: string }[] {
  const joined: { start: number; end: number; isLine: boolean; text: string }[] = [];
  for (const { type, value, start, end } of comments) {
    const isLine = type === 'Line';
    const text = value
      .replaceAll(/\s*\n\s*\*?\s*/g, ' ')
      .replace(/^\*/, '')
      .trim();
    const last = joined.at(-1);
    if (last && isLine && last.isLine && source.slice(last.end, start).trim() === '') {
      last.text += ` ${text}`;
      last.end = end;
    } else joined.push({ start, end, isLine, text });
  }
  return joined;
}

/** Finds the line of an offset, from 1. */
function lineFinder(source: string): (offset: number) => number {
  const starts = [...source.matchAll(/\n/g)].map(({ index }) => index + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}
