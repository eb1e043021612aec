import { splitWords } from './run-ucctl.ts';

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

/** A word without anything that a shell replaces. */
const plainWord = String.raw`(?:[\w./:,=+@%-]|"[^"$\`\\!]*"|'[^']*')+`;
const programLine = new RegExp(String.raw`^(?:npx )?ucctl((?: ${plainWord})*?)(?: > ([\w.-]+))?$`);
/** Commands that start another program, which shares the terminal. */
const startsProgram = /^ sandbox exec | --exec /;

/** The calls of a block; undefined if it needs a shell or starts another program. */
export function programLinesOf(text: string): readonly ProgramLine[] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const calls = lines.flatMap((line) => {
    const [, words = '', file] = programLine.exec(line) ?? [];
    return words === '' || startsProgram.test(words) ? [] : [{ words: splitWords(words), file }];
  });
  return calls.length === lines.length ? calls : undefined;
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
