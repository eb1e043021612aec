import { joinedValueFlags, type FlagTable } from './flags.ts';

/** The command line, split so that the parser cannot confuse flags and values. */
export interface SplitArgv {
  /** Words and flags before `--`; `--json` and `--debug` are joined with their values. */
  readonly words: readonly string[];
  /** Words after `--`; undefined when there is no `--`. */
  readonly rest: readonly string[] | undefined;
  /** Positions in `words` of words that are neither flags nor values. */
  readonly positions: readonly number[];
  /** Whether `--help` or `-h` is present as a flag. */
  readonly help: boolean;
  /** Whether `--all` is present as a flag; together with `--help`, it requests the full help. */
  readonly all: boolean;
}

/**
 * Splits the command line. `--json` and `--debug` never take the next word: `--json` becomes `--json=`. A value that
 * looks like a flag remains the value of the preceding flag.
 */
export function splitArgv(argv: readonly string[], flags: FlagTable): SplitArgv {
  const words: string[] = [];
  const positions: number[] = [];
  let help = false;
  let all = false;
  let valueNext = false;
  for (const [index, word] of argv.entries()) {
    if (valueNext) {
      words.push(word);
      valueNext = false;
    } else if (word === '--') {
      return { words, rest: argv.slice(index + 1), positions, help, all };
    } else if (word.startsWith('-') && word !== '-') {
      valueNext = takesNextWord(word, flags);
      if (word === '--help' || word === '-h') help = true;
      if (word === '--all') all = true;
      words.push(joined(word, flags));
    } else {
      positions.push(words.length);
      words.push(word);
    }
  }
  return { words, rest: undefined, positions, help, all };
}

/** Joins the default value to a flag that was given without a value. */
function joined(word: string, flags: FlagTable): string {
  const alone = joinedValueFlags.has(word) ? '' : flags.alone(word);
  return alone === undefined ? word : `${word}=${alone}`;
}

/**
 * Whether the value of a flag is the next word. Combined short flags are split: `-qp NAME` means `-q -p NAME`, but
 * `-pdemo` means `-p demo`.
 */
function takesNextWord(word: string, flags: FlagTable): boolean {
  if (!/^-[a-zA-Z]{2,}$/.test(word)) return flags.takesValue(word);
  const letters = word.slice(1).split('');
  return letters.findIndex((letter) => flags.takesValue(`-${letter}`)) === letters.length - 1;
}
