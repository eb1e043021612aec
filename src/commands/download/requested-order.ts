import type { DownloadItem, DownloadOutcome } from '../../features/download/index.ts';

/**
 * Restores the requested order of downloads, which finish in any order. It stores all items, so it is used only for
 * items that the command line names.
 */
export class RequestedOrder {
  readonly #items: DownloadItem[] = [];

  /** Yields the items, and records their order. */
  async *record(items: AsyncIterable<DownloadItem>): AsyncGenerator<DownloadItem, void, undefined> {
    for await (const item of items) {
      this.#items.push(item);
      yield item;
    }
  }

  /** Yields the outcomes in the recorded order. */
  async *restore(outcomes: AsyncIterable<DownloadOutcome>): AsyncGenerator<DownloadOutcome, void, undefined> {
    const early = new Map<DownloadItem | undefined, DownloadOutcome>();
    let next = 0;
    for await (const outcome of outcomes) {
      early.set(outcome.item, outcome);
      for (let item = this.#items[next]; early.has(item); item = this.#items[next]) {
        const ready = early.get(item);
        early.delete(item);
        next += 1;
        if (ready) yield ready;
      }
    }
    // Items without an outcome, because the run stopped, must not hide the others.
    yield* early.values();
  }
}
