import { readFileSync } from 'node:fs';
import type { Fragment } from './fragment.ts';

/** Where a word that is otherwise forbidden has its ordinary meaning. */
interface Permission {
  /** A file or folder; without it, everywhere. */
  readonly in?: string;
  /** A pattern that the text also matches; without it, any text. */
  readonly text?: string;
  readonly reason: string;
}

/** A private word as a pattern, with the standard terms for it. */
export interface Word {
  readonly pattern: string;
  readonly use: string;
  readonly permitted?: readonly Permission[];
}

/** The content of test/style/words.json. */
export interface WordList {
  /** Tried on the lower-case words of identifiers and file names. */
  readonly identifiers: readonly Word[];
  /** Tried on strings, comments and prose, without regard to case. */
  readonly phrases: readonly Word[];
  /** Generated files, whose texts come from sources that are read themselves, and the tests of this check. */
  readonly notRead: readonly string[];
}

/** One place where a text breaks a rule. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  /** What was found, with a few words around it. */
  readonly text: string;
  readonly use: string;
}

/** Reads the list of private words. */
export function readWordList(file = 'test/style/words.json'): WordList {
  return JSON.parse(readFileSync(file, 'utf8')) as WordList;
}

/** Whether a file is one of these files or below one of these folders. */
export function isBelow(file: string, roots: readonly string[]): boolean {
  return roots.some((root) => file === root || file.startsWith(`${root}/`));
}

/** Finds the private words of the list; the same word is reported once a line. */
export function wordFinder(list: WordList): (fragments: readonly Fragment[]) => readonly Finding[] {
  const identifiers = quickly(list.identifiers);
  const phrases = quickly(list.phrases);
  return (fragments) => {
    const findings = fragments.flatMap((fragment) =>
      (isName(fragment) ? identifiers : phrases)(fragment.text).flatMap((word) => findingsOf(word, fragment)),
    );
    const distinct = new Map(findings.map((one) => [`${one.file}:${one.line} ${one.text}`, one]));
    return [...distinct.values()];
  };
}

const isName = ({ kind }: Fragment): boolean => kind === 'identifier' || kind === 'file name';

/** The words whose pattern a text matches; texts occur often, and few of them match any. */
function quickly(words: readonly Word[]): (text: string) => readonly Compiled[] {
  const all = words.map(compiled);
  const any = new RegExp(words.map(({ pattern }) => `(?:${pattern})`).join('|') || '(?!)', 'i');
  const known = new Map<string, readonly Compiled[]>();
  return (text) => {
    const before = known.get(text);
    if (before) return before;
    const matched = any.test(text) ? all : [];
    known.set(text, matched);
    return matched;
  };
}

interface Compiled {
  readonly pattern: RegExp;
  readonly use: string;
  readonly isPermitted: (fragment: Fragment) => boolean;
}

function compiled({ pattern, use, permitted = [] }: Word): Compiled {
  const rules = permitted.map(({ in: place, text }) => {
    const pattern = new RegExp(text ?? '', 'i');
    return (fragment: Fragment) =>
      (place === undefined || isBelow(fragment.file, [place])) && pattern.test(fragment.text);
  });
  return {
    pattern: new RegExp(pattern, 'gi'),
    use,
    isPermitted: (fragment) => rules.some((rule) => rule(fragment)),
  };
}

function findingsOf({ pattern, use, isPermitted }: Compiled, fragment: Fragment): readonly Finding[] {
  const { file, line, text, kind } = fragment;
  const matches = [...text.matchAll(pattern)];
  if (matches.length === 0 || isPermitted(fragment)) return [];
  return matches.map(({ index, 0: match }) => {
    const around = text.slice(Math.max(0, index - 30), index + match.length + 30).replaceAll(/\s+/g, ' ');
    const shown = isName(fragment) ? `${kind} "${text}"` : `"${around.trim()}"`;
    return { file, line, text: shown, use: `"${match}": ${use}` };
  });
}
