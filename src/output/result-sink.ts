import { fileFailureReason } from '../platform/file-failure.ts';
import { CommandError, Exit } from '../errors/command.ts';
import { nextStep, ucctl } from '../errors/hint.ts';
import type { OutputSettings } from './output-settings.ts';
import { ClosedPipe } from './until-reader-gone.ts';

/** Standard output for results. Writing stops when the reader has closed it. */
export class ResultSink {
  readonly #settings: OutputSettings;
  #isReaderGone = false;

  constructor(settings: OutputSettings) {
    this.#settings = settings;
  }

  /** Writes a text. If the reader has closed the pipe, drops the text of a command that must finish. @throws {ClosedPipe} for other commands. */
  async write(text: string): Promise<void> {
    if (this.#isReaderGone) return;
    try {
      await this.writeOrEnd(text);
    } catch (error) {
      if (!this.#settings.finishesWithoutReader || !(error instanceof ClosedPipe)) throw error;
      this.#isReaderGone = true;
    }
  }

  /**
   * Writes a text. @throws {ClosedPipe} if the reader has closed the pipe. @throws {CommandError} if the text could not
   * be written.
   */
  async writeOrEnd(text: string, onWritten?: () => void): Promise<void> {
    try {
      await this.#settings.stdout.write(text, onWritten);
    } catch (error) {
      if (isClosedPipe(error))
        throw new ClosedPipe('the program that reads stdout has exited', { cause: error });
      throw unwritten(error, this.#settings.finishesWithoutReader ?? false);
    }
  }

  /** Runs work that ends normally when the reader closes the pipe; later results are not written. */
  async untilClosed(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ClosedPipe)) throw error;
      this.#isReaderGone = true;
    }
  }
}

/** Returns whether a write failed because the reader has closed the pipe. */
export function isClosedPipe(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED';
}

/**
 * Returns the error for a failed write. A command makes its changes before it prints, so after a failed write its
 * outcome is unknown. Exit code 12 would make a script repeat the changes.
 */
function unwritten(cause: unknown, mayHaveChanged: boolean): unknown {
  if (!(cause instanceof Error) || !('syscall' in cause)) return cause;
  const message = `ucctl could not write the result to stdout: ${fileFailureReason(cause)}`;
  if (!mayHaveChanged) {
    const hint = 'check the disk and the file that stdout goes to, and run the command again';
    return new CommandError('output_lost', Exit.local, message, { hint, cause });
  }
  return resultLost(message, cause);
}

/** Returns the error for a result that could not be shown after the command made changes. `first` is the beginning of the hint. */
export function resultLost(message: string, cause: unknown, first = ''): CommandError {
  return new CommandError(
    'outcome_unknown',
    Exit.outcomeUnknown,
    `${message}; the command may have made some or all of its changes`,
    {
      hint: nextStep`${first}check the changes before you repeat the command: ${ucctl('outcome list')}, ${ucctl('history list')}`,
      cause,
    },
  );
}
