import { bareFlags, type FlagTable } from './flags.ts';

/** The command line in pieces that the parser cannot confuse. */
export interface SplitArgv {
  /** Words and flags before `--`, with `--json` and `--debug` brought into a form of one word. */
  readonly words: readonly string[];
  /** Words after `--`; undefined when there is no `--`. */
  readonly rest: readonly string[] | undefined;
  /** Positions in `words` of what is neither flag nor value. */
  readonly positions: readonly number[];
  /** Whether `--help` or `-h` stands there as a flag. */
  readonly help: boolean;
}

/**
 * Splits the command line. `--json` and `--debug` never take the next word (`--json` becomes `--json=`), wherever it stands; a value that
 * looks like a flag stays the value of the flag before it.
 */
export function splitArgv(argv: readonly string[], flags: FlagTable): SplitArgv {
  const words: string[] = [];
  const positions: number[] = [];
  let help = false;
  let valueNext = false;
  for (const [index, word] of argv.entries()) {
    if (valueNext) {
      words.push(word);
      valueNext = false;
    } else if (word === '--') {
      return { words, rest: argv.slice(index + 1), positions, help };
    } else if (word.startsWith('-') && word !== '-') {
      valueNext = flags.takesValue(word) || flags.takesValue(lastOfCluster(word));
      if (word === '--help' || word === '-h') help = true;
      words.push(bareFlags.has(word) ? `${word}=` : word);
    } else {
      positions.push(words.length);
      words.push(word);
    }
  }
  return { words, rest: undefined, positions, help };
}

/** `-qp NAME` is `-q -p NAME`. */
function lastOfCluster(word: string): string {
  return /^-[a-zA-Z]{2,}$/.test(word) ? `-${word.slice(-1)}` : word;
}
