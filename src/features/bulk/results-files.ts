import type { FileTable } from './results.ts';
import { isWorkbookName, writeTable } from './write-table.ts';

/** Minimum time between two writes during a run, in milliseconds. Frequent writes would slow down a long run. */
const pauseMilliseconds = 250;

/** Minimum time between two writes of a workbook, in milliseconds per row: ten times the duration of a write. */
const workbookPausePerRow = 0.3;

/**
 * The results files of a run. Each write replaces the whole file atomically: before the first request, after changes,
 * and after the last reply. Changes in quick succession share a write.
 */
export class ResultsFiles {
  readonly #files: readonly string[];
  readonly #table: () => FileTable;
  readonly #raw: boolean;
  #writing: Promise<void> | undefined;
  #pause: NodeJS.Timeout | undefined;
  #isStale = false;
  #isSettled = false;
  /** The last write. Writes are sequential, so that an older content never replaces a newer one. */
  #last: Promise<unknown> = Promise.resolve();

  /** Whether there is a file to write. */
  get isUsed(): boolean {
    return this.#files.length > 0;
  }

  /** @param raw whether formulas in CSV are not escaped @param table returns the current content */
  constructor(files: readonly string[], raw: boolean, table: () => FileTable) {
    this.#files = files;
    this.#raw = raw;
    this.#table = table;
  }

  /** Writes the files now, and returns the number of rows. @throws the error of the file system */
  async write(): Promise<number> {
    if (this.#files.length === 0) return 0;
    const written = this.#last.then(() => this.#replace());
    this.#last = written.catch(() => undefined);
    return written;
  }

  /** Minimum time in milliseconds between two writes of a table with this number of rows. */
  pauseFor(rows: number): number {
    const perRow = this.#files.some(isWorkbookName) ? workbookPausePerRow : 0;
    return Math.max(pauseMilliseconds, rows * perRow);
  }

  async #replace(): Promise<number> {
    const table = this.#table();
    for (const file of this.#files) await writeTable(file, table, { raw: this.#raw, sheet: 'Results' });
    return table.lines.length;
  }

  /** Schedules a write after a change. Failures are ignored here, because the last write reports them. */
  changed(): void {
    if (this.#files.length === 0 || this.#isSettled) return;
    this.#isStale = true;
    if (!this.#writing && !this.#pause) this.#writing = this.#writeOnce();
  }

  /** Cancels scheduled writes, and waits for a write that is in progress. */
  async settle(): Promise<void> {
    this.#isSettled = true;
    clearTimeout(this.#pause);
    await this.#writing;
  }

  async #writeOnce(): Promise<void> {
    this.#isStale = false;
    const rows = await this.write().catch(() => 0);
    this.#writing = undefined;
    if (this.#isSettled) return;
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      if (this.#isStale) this.changed();
    }, this.pauseFor(rows));
  }
}
