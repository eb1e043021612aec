import { ownProcess } from '../../platform/own-process.ts';
import type { JournalItem } from './journal.ts';
import type { ResultsFiles } from './results-files.ts';

/** Maximum number of items that one write announces. */
const maxAnnounced = 1000;

/**
 * The items whose request may be in progress according to the results files. An item is announced before its request,
 * so that the files of a killed process never contain `not-sent` for an item that was sent. If requests are faster than
 * the files may be written, one write announces several items.
 */
export class AnnouncedItems {
  readonly #results: ResultsFiles;
  readonly #planned: () => readonly number[];
  readonly #announced = new Set<number>();
  readonly #written = new Set<number>();
  #writing: Promise<void> | undefined;
  #ahead = 1;
  #lastWrite = Number.NEGATIVE_INFINITY;

  /** @param planned returns the items without a request, in the order of their requests */
  constructor(results: ResultsFiles, planned: () => readonly number[]) {
    this.#results = results;
    this.#planned = planned;
  }

  /**
   * Returns when the files no longer contain `not-sent` for these items.
   * @throws {CommandError} `not_written` if a file cannot be written, so that the items must not be sent
   */
  async announce(seqs: readonly number[]): Promise<void> {
    if (!this.#results.isUsed) return;
    while (!seqs.every((seq) => this.#written.has(seq))) {
      this.#writing ??= this.#write(seqs).finally(() => {
        this.#writing = undefined;
      });
      await this.#writing;
    }
  }

  /** Returns the item with the status that the results files show. */
  shown<P>(item: JournalItem<P>): JournalItem<P> {
    const isStarted = item.status === 'planned' && this.#announced.has(item.seq);
    return isStarted ? { ...item, status: 'sent' } : item;
  }

  /** Forgets all announcements; called when no request is in progress. */
  clear(): void {
    this.#announced.clear();
  }

  async #write(seqs: readonly number[]): Promise<void> {
    const planned = this.#planned();
    const elapsed = ownProcess.monotonicMilliseconds() - this.#lastWrite;
    const isFast = elapsed < this.#results.pause;
    this.#ahead = isFast ? Math.min(maxAnnounced, this.#ahead * 2) : Math.max(1, Math.floor(this.#ahead / 2));
    const next = planned.filter((seq) => !this.#announced.has(seq) && !seqs.includes(seq));
    const all = [...seqs, ...next.slice(0, this.#ahead - 1)];
    for (const seq of all) this.#announced.add(seq);
    await this.#results.write();
    for (const seq of all) this.#written.add(seq);
    this.#lastWrite = ownProcess.monotonicMilliseconds();
  }
}
