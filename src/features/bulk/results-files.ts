import { CommandError, Exit } from '../../errors/command.ts';
import { fileFailureHint, fileFailureReason } from '../../platform/file-failure.ts';
import { ownProcess } from '../../platform/own-process.ts';
import type { FileTable } from './results.ts';
import { writeTable } from './write-table.ts';

/** Minimum time between two writes during a run, in milliseconds. Frequent writes would slow down a long run. */
const minimumPause = 250;

/** Minimum time between two writes, as a multiple of the duration of a write, which grows with the number of rows. */
const pausePerWrite = 10;

/**
 * The results files of a run. Each write replaces the whole file atomically: before the first request, after changes,
 * and after the last reply. Changes in quick succession share a write.
 */
export class ResultsFiles {
  readonly #files: readonly string[];
  readonly #table: () => FileTable;
  readonly #raw: boolean;
  readonly #now: () => number;
  /** Duration of the last write in milliseconds. */
  #duration = 0;
  #writing: Promise<void> | undefined;
  #pauseTimer: NodeJS.Timeout | undefined;
  #isStale = false;
  #isSettled = false;
  /** The last write. Writes are sequential, so that an older content never replaces a newer one. */
  #last: Promise<unknown> = Promise.resolve();

  /** Whether there is a file to write. */
  get isUsed(): boolean {
    return this.#files.length > 0;
  }

  /**
   * @param raw whether formulas in CSV are not escaped
   * @param table returns the current content
   * @param now a monotonic clock in milliseconds
   */
  constructor(
    files: readonly string[],
    raw: boolean,
    table: () => FileTable,
    now: () => number = () => ownProcess.monotonicMilliseconds(),
  ) {
    this.#files = files;
    this.#raw = raw;
    this.#table = table;
    this.#now = now;
  }

  /** Writes the files now. @throws {CommandError} `not_written` (exit 12) */
  async write(): Promise<void> {
    if (this.#files.length === 0) return;
    const written = this.#last.then(() => this.#replace());
    this.#last = written.catch(() => undefined);
    return written;
  }

  /** Minimum time in milliseconds between two writes. Writes then need at most a tenth of the time of a run. */
  get pause(): number {
    return Math.max(minimumPause, this.#duration * pausePerWrite);
  }

  async #replace(): Promise<void> {
    const started = this.#now();
    for (const file of this.#files) {
      const table = this.#table();
      await writeTable(file, table, { raw: this.#raw, sheet: 'Results' }).catch((error: unknown) => {
        throw notWritten(file, error);
      });
    }
    this.#duration = this.#now() - started;
  }

  /** Schedules a write after a change. Failures are ignored here, because the last write reports them. */
  changed(): void {
    if (this.#files.length === 0 || this.#isSettled) return;
    this.#isStale = true;
    if (!this.#writing && !this.#pauseTimer) this.#writing = this.#writeOnce();
  }

  /** Cancels scheduled writes, and waits for a write that is in progress. */
  async settle(): Promise<void> {
    this.#isSettled = true;
    clearTimeout(this.#pauseTimer);
    await this.#writing;
  }

  async #writeOnce(): Promise<void> {
    this.#isStale = false;
    await this.write().catch(() => undefined);
    this.#writing = undefined;
    if (this.#isSettled) return;
    this.#pauseTimer = setTimeout(() => {
      this.#pauseTimer = undefined;
      if (this.#isStale) this.changed();
    }, this.pause);
  }
}

function notWritten(file: string, cause: unknown): CommandError {
  const message = `cannot write the results file ${file}: ${fileFailureReason(cause)}`;
  return new CommandError('not_written', Exit.local, message, {
    hint: fileFailureHint(cause) ?? 'check the free disk space and the permissions of the folder',
    cause,
  });
}
