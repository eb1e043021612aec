import type { RunOptions, RunResult } from '../support/run-ucctl.ts';
import type { Desk, DeskOptions } from './desk.ts';

type Line = string | readonly string[];

/** One way to call a command. */
export interface Call {
  /** The arguments after `ucctl NOUN VERB`; a function creates what it needs before each run. */
  readonly words: Line | ((desk: Desk) => Promise<Line>);
  /** Exit code; 0 unless given. */
  readonly exit?: number;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Lists that match come back empty. */
  readonly blank?: RegExp;
  /** What stdout contains: one result (`document`), live events, or no output of the command. */
  readonly gives?: 'document' | 'stream' | 'nothing';
  /** The table is free text, or stdout stays empty and the text is on stderr. */
  readonly table?: 'text';
  /** A failure that still reports the result of each item on stdout. */
  readonly saysWhat?: boolean;
  /** What a failure writes to stdout for the shell, in text that is not for a terminal. */
  readonly forShell?: string;
  /** Runs it in another way: with an event during the run, or until it has written enough. */
  readonly how?: (desk: Desk, argv: readonly string[], options: RunOptions) => Promise<RunResult>;
}

/** The output of a run, with its command line. */
export interface Seen extends RunResult {
  readonly argv: readonly string[];
}

/** The three situations of one command. A reason replaces an empty answer that cannot occur. */
export interface Situations {
  /** What the command needs; without it, its cases are skipped. */
  readonly needs?: 'postgres';
  readonly success: Call;
  readonly empty: Call | { readonly none: string };
  readonly error: Call & { readonly exit: number; readonly code: string };
}

export interface NounCases {
  readonly desk: DeskOptions;
  /** By the path of the command, without `ucctl`. */
  readonly commands: Readonly<Record<string, Situations>>;
}
