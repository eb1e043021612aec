import type { RunOptions, RunResult } from '../support/run-ucctl.ts';
import type { Desk, DeskOptions } from './desk.ts';

type Line = string | readonly string[];

/** One way to call a command. */
export interface Call {
  /** The words after `ucctl NOUN VERB`; a function makes what it needs anew before each run. */
  readonly words: Line | ((desk: Desk) => Promise<Line>);
  /** Exit code; 0 unless given. */
  readonly exit?: number;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Lists that match come back empty. */
  readonly blank?: RegExp;
  /**
   * What stdout holds: one result (`document`), live events, or nothing of ours.
   */
  readonly gives?: 'document' | 'stream' | 'nothing';
  /** The table is drawn text, or is shown beside an empty stdout. */
  readonly table?: 'text';
  /** A failure that still says, on stdout, what became of each thing. */
  readonly saysWhat?: boolean;
  /** Runs it in another way: with something that happens meanwhile, or until it has said enough. */
  readonly how?: (desk: Desk, argv: readonly string[], options: RunOptions) => Promise<RunResult>;
}

/** What came of a run, with what was typed. */
export interface Seen extends RunResult {
  readonly argv: readonly string[];
}

/** The three situations of one command. A reason stands where there is no such thing as an empty answer. */
export interface Situations {
  readonly success: Call;
  readonly empty: Call | { readonly none: string };
  readonly error: Call & { readonly exit: number; readonly code: string };
}

export interface NounCases {
  readonly desk: DeskOptions;
  /** By the words of the command's path, without `ucctl`. */
  readonly commands: Readonly<Record<string, Situations>>;
}
