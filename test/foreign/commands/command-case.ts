import type { RunOptions, RunResult } from '../../support/run-ucctl.ts';
import type { ForeignService } from '../service/foreign-service.ts';
import type { OperationName } from '../service/operations.ts';
import { idText, type Row } from '../service/world.ts';

/** One person with a foreign service and folders of her own. */
export interface Stage {
  readonly service: ForeignService;
  readonly cwd: string;
  run(words: readonly string[], options?: RunOptions): Promise<RunResult>;
  /** Lets the clock of the stage go on. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** How a command is called, what it shows of an allowed reply, and how it ends after a disallowed one. */
export interface CommandCase {
  /** The words after the command. */
  readonly words: (stage: Stage) => readonly string[];
  /** Command lines that come first. Their replies are allowed, but for those to the operation `lost`. */
  readonly before?: readonly (readonly string[])[];
  readonly lost?: OperationName;
  /** The operation whose replies decide what is shown; disallowed replies come to it. */
  readonly decisive: OperationName;
  /** `rows`: JSON shows the rows that were served, with their values. `ids`: it names each id that was asked for. Else a check of its own. */
  readonly shows: 'rows' | 'ids' | 'nothing' | ((shown: unknown, stage: Stage) => string | undefined);
  /** Documented exit codes after a disallowed reply. */
  readonly ends: readonly number[];
  /** Exit codes after allowed replies; 0 unless given. */
  readonly exits?: readonly number[];
  /** Goes on until it has written so many lines. */
  readonly untilLines?: number;
  readonly options?: RunOptions;
  /** Runs in this dialect only, because the other has no such thing. */
  readonly dialect?: 'spec' | 'current';
  /** Whether what it sends is kept in the journal of outcomes. */
  readonly isOnce?: boolean;
}

/** Exit codes of a read, of a change that may be repeated, and of one that must not be. */
export const ofRead = [1] as const;
export const ofChange = [14] as const;
/** Of a change that is looked at after such a reply: it is known not to be made, or not known. */
export const ofLookedAt = [1, 8, 14] as const;
export const ofOnce = [14] as const;

export function idOf(row: Row | undefined): string {
  if (!row) throw new Error('the world has no such row');
  return idText(row.value['id']);
}

/** The first message of a type, or the one with this text. */
export function messageId({ service }: Stage, type: string, subject?: string): string {
  return idOf(
    service.world.messages.find(
      ({ value }) => value['type'] === type && (subject === undefined || value['subject'] === subject),
    ),
  );
}

/** A check that some words are in what is shown, as values or names of members. */
export function names(...words: readonly string[]): (shown: unknown) => string | undefined {
  return (shown) => {
    const text = JSON.stringify(shown);
    const missing = words.find((word) => !text.includes(word));
    return missing === undefined ? undefined : `${missing} is not shown`;
  };
}
