import { readdirSync } from 'node:fs';
import { splitWords } from './run-ucctl.ts';

const below = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);

/** Returns the documents whose examples are run. */
export function documentFiles(): readonly string[] {
  return ['README.md', 'CONTRIBUTING.md', ...below('docs'), ...below('docs/guides')];
}

/** A fenced block of a document. */
interface Block {
  /** First word after the fence. */
  readonly language: string;
  /** The rest of that line. */
  readonly info: string;
  readonly text: string;
  /** File name from the line before the block. */
  readonly file: string | undefined;
}

/** The steps that a document describes, in order. */
export type Step =
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  | { readonly kind: 'run'; readonly text: string }
  /** Runs in a separate terminal until Ctrl-C. */
  | { readonly kind: 'background'; readonly text: string }
  | { readonly kind: 'not-run'; readonly text: string; readonly reason: string };

/**
 * The steps of a document: blocks of `sh`, and files. A block is `sh background` when it runs until Ctrl-C, and `sh not-run: REASON` when a
 * test cannot run it. A block that follows a line with nothing but a file name in backticks and a colon is that file.
 */
export function stepsOf(markdown: string): readonly Step[] {
  return blocksOf(markdown).flatMap((block): readonly Step[] => {
    const { language, info, text, file } = block;
    if (file !== undefined) return [{ kind: 'file', name: file, text }];
    if (language !== 'sh') return [];
    const reason = /^not-run: (.+)$/.exec(info)?.[1];
    if (reason !== undefined) return [{ kind: 'not-run', text, reason }];
    if (info !== '' && info !== 'background') throw new Error(`what is "sh ${info}"?`);
    return [{ kind: info === 'background' ? 'background' : 'run', text }];
  });
}

function blocksOf(markdown: string): readonly Block[] {
  const blocks = markdown.matchAll(/(?:^`([\w.-]+)`:\n\n)?^```(\S+) ?(.*)\n([\s\S]*?)^```$/gm);
  return [...blocks].map(([, file, language = '', info = '', text = '']) => ({ language, info, text, file }));
}

/** A line of a block that only calls the program. */
export interface ProgramLine {
  readonly words: readonly string[];
  /** The file that its output goes to. */
  readonly file: string | undefined;
}

/** Consecutive lines of a block: calls of the program, or text for a shell. */
type Part =
  | { readonly kind: 'calls'; readonly lines: readonly string[] }
  | { readonly kind: 'shell'; readonly text: string };

/** A word without anything that a shell replaces, except variables. */
const plainWord = String.raw`(?:[\w./:,=+@%-]|\$\w+|"(?:[^"$\`\\!]|\$\w+|!(?="))*"|'[^']*')+`;
const programLine = new RegExp(String.raw`^(?:npx )?ucctl((?: ${plainWord})+)(?: > ([\w.-]+))?$`);
/** Commands that start another program, which shares the terminal. */
const startsProgram = /^ sandbox exec | --exec /;
/** A line that is complete only with others: of compound commands, continued, indented, or in another folder. */
const ofSeveralLines = /^\s|^(?:if|while|until|for|case|cd)\b|<<|(?:\\|[|&({]|\bdo|\bthen)\s*$/;
const quoted = /\\.|"(?:[^"\\]|\\.)*"|'[^']*'/g;

/** Splits a block into what runs in this process and what needs a shell or starts another program. */
export function partsOf(text: string): readonly Part[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.some((line) => ofSeveralLines.test(line) || /["']/.test(line.replaceAll(quoted, ''))))
    return [{ kind: 'shell', text }];
  const parts: Part[] = [];
  for (const line of lines) {
    const last = parts.at(-1);
    if (isCall(line)) {
      if (last?.kind === 'calls') parts[parts.length - 1] = { kind: 'calls', lines: [...last.lines, line] };
      else parts.push({ kind: 'calls', lines: [line] });
    } else if (last?.kind === 'shell') {
      parts[parts.length - 1] = { kind: 'shell', text: `${last.text}\n${line}` };
    } else {
      parts.push({ kind: 'shell', text: line });
    }
  }
  return parts;
}

function isCall(line: string): boolean {
  const words = programLine.exec(line)?.[1];
  return words !== undefined && !startsProgram.test(words);
}

/**
 * A line of `calls`, with its variables replaced.
 * @throws if a variable is not set; a shell with `set -u` fails, too.
 */
export function programLineOf(line: string, env: Readonly<Record<string, string>>): ProgramLine {
  const [, words = '', file] = programLine.exec(line) ?? [];
  // Text in single quotes has no variables, and the value of a variable is not split.
  const pieces = words.matchAll(/'[^']*'|"[^"]*"|[^\s'"]+|\s+/g);
  const replaced = [...pieces].map(([piece]) => (piece.startsWith("'") ? piece : withVariables(piece, env)));
  return { words: splitWords(replaced.join('')), file };
}

function withVariables(piece: string, env: Readonly<Record<string, string>>): string {
  return piece.replaceAll(/\$(\w+)/g, (_, name: string) => {
    const value = env[name];
    if (value === undefined) throw new Error(`$${name} is not set`);
    if (!/^[^\s'"]*$/.test(value)) throw new Error(`$${name} has a space or a quote`);
    return value;
  });
}

/** Ends what `scriptOf` writes to the screen if all its lines succeeded. */
export const allDone = 'ALL STEPS DONE';

/**
 * A bash program that runs a block, and fails with its first line that fails. It ends with its environment in a file,
 * which the next block starts with: a reader types both into one shell.
 */
export function scriptOf(text: string, environmentFile: string): string {
  return ['set -aeuo pipefail', text, `env -0 > '${environmentFile}'`, `echo ${allDone}`, ''].join('\n');
}
