import type { RunOptions, RunResult } from '../../support/run-ucctl.ts';
import type { ForeignService } from '../service/foreign-service.ts';
import type { OperationName } from '../service/operations.ts';
import { idText, type Row } from '../service/world.ts';

/** One user with a foreign service and separate folders. */
export interface Stage {
  readonly service: ForeignService;
  readonly cwd: string;
  run(words: readonly string[], options?: RunOptions): Promise<RunResult>;
  /** Advances the clock of the stage. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** How a command is called, what it shows for an allowed reply, and how it ends after a disallowed one. */
export interface CommandCase {
  /** The command, if the name of the case is not that of its command. */
  readonly command?: string;
  /** The arguments of the command. */
  readonly words: (stage: Stage) => readonly string[];
  /** Command lines that run first. Their replies are allowed, except those to the operation `lost`. */
  readonly before?: readonly (readonly string[])[];
  readonly lost?: OperationName;
  /** The operation whose replies determine the output; it receives the disallowed replies. */
  readonly decisive: OperationName;
  /** The decisive operation in dialect `current`, if it differs. */
  readonly current?: OperationName;
  /**
   * `rows`: the JSON output shows the served rows with their values. `ids`: it names each requested id. Otherwise a
   * check for this case.
   */
  readonly shows: 'rows' | 'ids' | 'nothing' | ((shown: unknown, stage: Stage) => string | undefined);
  /** Documented exit codes after a disallowed reply. */
  readonly ends: readonly number[];
  /** Exit codes after allowed replies; 0 unless given. */
  readonly exits?: readonly number[];
  /** The command runs until it has written this many lines. */
  readonly untilLines?: number;
  readonly options?: RunOptions;
  /** Runs in this dialect only, because the other has no such operation. */
  readonly dialect?: 'spec' | 'current';
  /** Whether the outcome journal records what it sends. */
  readonly isOnce?: boolean;
}

/** Exit codes of a read, of a change that may be repeated, and of a change that must not be repeated. */
export const ofRead = [1] as const;
export const ofChange = [14] as const;
/** Exit codes of a change that is read back after such a reply: it was not made, or this is unknown. */
export const ofLookedAt = [1, 8, 14] as const;
export const ofOnce = [14] as const;

export function idOf(row: Row | undefined): string {
  if (!row) throw new Error('the world has no such row');
  return idText(row.value['id']);
}

/** The first message of a type, or the message with this text. */
export function messageId({ service }: Stage, type: string, subject?: string): string {
  return idOf(
    service.world.messages.find(
      ({ value }) => value['type'] === type && (subject === undefined || value['subject'] === subject),
    ),
  );
}

/** A check that the output contains these words as values or names of members. */
export function names(...words: readonly string[]): (shown: unknown) => string | undefined {
  return (shown) => {
    const text = JSON.stringify(shown);
    const missing = words.find((word) => !text.includes(word));
    return missing === undefined ? undefined : `${missing} is not shown`;
  };
}
