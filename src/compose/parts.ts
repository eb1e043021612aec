import type { GlobalOptions } from '../cli/global-options.ts';
import type { SeenReplies } from '../cli/seen-replies.ts';
import type { ProgramOutput } from '../output/index.ts';
import type { Context, Paths, StartedRun } from '../runtime/context.ts';
import type { AnyCommandSpec, RegisteredNoun } from '../runtime/define.ts';
import type { Settings } from '../runtime/settings.ts';
import type { System } from '../runtime/system.ts';

/** The parts that the context of one run is created from. */
export interface Parts {
  readonly system: System;
  readonly globals: GlobalOptions;
  readonly settings: Settings;
  readonly paths: Paths;
  readonly out: ProgramOutput;
  /** The command that runs. */
  readonly spec: Pick<AnyCommandSpec, 'mutates' | 'onlyReadsStore'>;
  readonly nouns: readonly RegisteredNoun[];
  /** Records the replies of the run. */
  readonly replies: SeenReplies;
  /** Adds work for the end of the run, such as closing a connection. */
  readonly atEnd: (work: () => Promise<void>) => void;
  /** The settings of another profile, whose service is at `origin`. */
  readonly settingsOf: (profile: string, origin?: string) => Promise<Settings>;
  /** Receives a run of changes that the command has started. */
  readonly onRun: (run: StartedRun) => void;
  /** Runs another command line. */
  readonly run: Context['run'];
}

/** Calls `make` at the first call and returns the same promise afterwards. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
