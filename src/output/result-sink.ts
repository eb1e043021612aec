import { fileTrouble } from '../platform/file-trouble.ts';
import { CommandError, Exit } from '../errors/command.ts';
import { nextStep, ucctl } from '../errors/hint.ts';
import type { OutputSettings } from './output-settings.ts';
import { ClosedPipe } from './until-unread.ts';

/** Standard output, which results are written to for as long as somebody reads it. */
export class ResultSink {
  readonly #settings: OutputSettings;
  #isUnread = false;

  constructor(settings: OutputSettings) {
    this.#settings = settings;
  }

  /** Writes, and stops writing where the command finishes although nobody reads. @throws {ClosedPipe} where it does not. */
  async write(text: string): Promise<void> {
    if (this.#isUnread) return;
    try {
      await this.writeOrEnd(text);
    } catch (error) {
      if (!this.#settings.finishesUnread || !(error instanceof ClosedPipe)) throw error;
      this.#isUnread = true;
    }
  }

  /** Writes. @throws {ClosedPipe} nobody reads any more. @throws {CommandError} the text could not be written. */
  async writeOrEnd(text: string, onTaken?: () => void): Promise<void> {
    try {
      await this.#settings.stdout.write(text, onTaken);
    } catch (error) {
      if (isClosedPipe(error)) throw new ClosedPipe('nobody reads stdout', { cause: error });
      throw unwritten(error, this.#settings.finishesUnread ?? false);
    }
  }

  /** Runs work that ends early, as if it were over, when the reader has seen enough; later results are not written. */
  async untilClosed(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ClosedPipe)) throw error;
      this.#isUnread = true;
    }
  }
}

/** Whether a write failed because nobody reads any more. */
export function isClosedPipe(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED';
}

/** A command that changes something has done so by the time it prints: "local, nothing happened" would make a script do it twice. */
function unwritten(cause: unknown, mayHaveChanged: boolean): unknown {
  if (!(cause instanceof Error) || !('syscall' in cause)) return cause;
  const message = `the result could not be written to stdout: ${fileTrouble(cause)}`;
  if (!mayHaveChanged) return new CommandError('output_lost', Exit.local, message, { cause });
  return new CommandError('outcome_unknown', Exit.outcomeUnknown, `${message}; it was done, or part of it`, {
    hint: nextStep`look before you repeat it: ${ucctl('outcome list')}, ${ucctl('history list')}`,
    cause,
  });
}
