import { isInterrupt } from '../../errors/interrupted.ts';
import type { BulkEnd, BulkSettings, SendReceipt } from './bulk-work.ts';
import { classifyError, permissionErrorCode, receiptOfError, type ErrorClass } from './error-class.ts';
import type { JournalItem } from './journal.ts';

/**
 * Number of successive rejections with the same code after which the engine assumes that the error concerns all items.
 */
const maxSameRejections = 5;

/** First pause before a retry of a request with an unknown outcome. Each further pause is twice as long. */
const firstPauseMilliseconds = 250;
const longestPauseMilliseconds = 20_000;

/** The receipt of a change that the service accepted, but that is not in effect. */
const notApplied = {
  code: 'not_applied',
  message: 'The service accepted the change, but it did not take effect.',
};

/** The items of one request. */
interface Chunk<P> {
  readonly items: readonly JournalItem<P>[];
  /** Number of earlier attempts to send the chunk that had an unknown outcome. */
  readonly tries: number;
}

interface Failure {
  readonly error: unknown;
  readonly errorClass: ErrorClass;
}

/**
 * Runs a new or interrupted run of the journal to its end. Reads back the items that an earlier process sent without
 * recording the result, and sends the rest in the fewest requests. Splits a rejected request until the offending items
 * are isolated, and verifies replies by reading back.
 */
export async function runBulk<P>(settings: BulkSettings<P>): Promise<BulkEnd> {
  const engine = new Engine(settings);
  await engine.settleSent();
  await engine.run();
  return engine.end();
}

class Engine<P> {
  readonly #settings: BulkSettings<P>;
  #items: readonly JournalItem<P>[];
  #chunks: Chunk<P>[] = [];
  #done = 0;
  #failed = 0;
  /** Number of items that failed before this attempt, which must not stop it. */
  #failedBefore = 0;
  #stopped: BulkEnd['stopped'];
  #error: unknown;
  /** Number of successive rejections with the same code. */
  #sameRejections: { readonly code: string | undefined; readonly count: number } = {
    code: undefined,
    count: 0,
  };

  constructor(settings: BulkSettings<P>) {
    this.#settings = settings;
    this.#items = settings.journal.items<P>(settings.run);
    this.#count();
  }

  /**
   * Reads back the items with an unknown outcome, including those that a killed process sent. Marks items as unknown if
   * they cannot be read back.
   */
  async settleSent(): Promise<void> {
    const { journal, run, work } = this.#settings;
    const sent = this.#items.filter(
      ({ status }) => status === 'sent' || (status === 'unknown' && work.observe !== undefined),
    );
    if (sent.length > 0) {
      const present = await work.observe?.(sent);
      if (present) {
        const { inside, outside } = split(sent, present);
        journal.mark(run, seqs(inside), 'ok', {
          message: 'the change was already in effect when the run resumed',
        });
        journal.mark(run, seqs(outside), 'planned');
      } else {
        const message = 'the run was interrupted before the reply arrived';
        journal.mark(run, seqs(sent), 'unknown', { code: 'outcome_unknown', message });
      }
      this.#items = journal.items<P>(run);
      this.#count();
    }
    const size = work.observe || work.isShared ? this.#settings.maxItems : 1;
    const left = this.#items.filter(({ status }) => status === 'planned');
    for (const items of inGroups(left, work.groupOf)) {
      for (let at = 0; at < items.length; at += size) {
        this.#chunks.push({ items: items.slice(at, at + size), tries: 0 });
      }
    }
  }

  /** @throws the first error of the journal, when all requests in progress have ended */
  async run(): Promise<void> {
    // Shows the progress before the first request, because this request may have to wait for the rate limit.
    this.#reportProgress();
    const failures: unknown[] = [];
    const work = (): Promise<void> =>
      this.#sendChunks().catch((error: unknown) => {
        this.#stopped ??= 'service';
        failures.push(error);
      });
    await Promise.all(Array.from({ length: Math.max(1, this.#settings.concurrency) }, work));
    if (failures.length > 0) throw failures[0];
  }

  end(): BulkEnd {
    return { stopped: this.#stopped, error: this.#error };
  }

  /** Sends chunks until no chunk is left; several of these workers run concurrently. */
  async #sendChunks(): Promise<void> {
    for (;;) {
      if (this.#settings.signal.aborted && this.#chunks.length > 0) this.#stopped ??= 'interrupted';
      if (this.#stopped !== undefined) return;
      const chunk = this.#chunks.shift();
      if (!chunk) return;
      if (chunk.tries > 0 && !(await this.#waitForRetry(chunk))) continue;
      if (!(await this.#announce(chunk))) return;
      await this.#send(chunk);
      this.#reportProgress();
      if (this.#failed - this.#failedBefore > this.#settings.maxErrors) this.#stopped ??= 'max-errors';
    }
  }

  /**
   * Gives the service time to recover before a retry. Returns false if the run ended meanwhile, so that the chunk is
   * not sent.
   */
  async #waitForRetry(chunk: Chunk<P>): Promise<boolean> {
    const pause = Math.min(longestPauseMilliseconds, firstPauseMilliseconds * 2 ** (chunk.tries - 1));
    try {
      await this.#settings.sleep(pause);
    } catch (error) {
      if (!this.#settings.signal.aborted) throw error;
    }
    const isOver = this.#settings.signal.aborted || this.#stopped !== undefined;
    if (isOver) this.#chunks.unshift(chunk);
    return !isOver;
  }

  #reportProgress(): void {
    this.#settings.onProgress?.({ done: this.#done, failed: this.#failed, total: this.#items.length });
  }

  async #send(chunk: Chunk<P>): Promise<void> {
    const { journal, run, work } = this.#settings;
    journal.markSent(run, seqs(chunk.items));
    let receipt: SendReceipt = {};
    let failure: Failure | undefined;
    try {
      receipt = await work.send(chunk.items);
    } catch (error) {
      failure = { error, errorClass: work.classify?.(error) ?? classifyError(error, chunk.items.length) };
      this.#error = error;
    }
    if (failure?.errorClass === 'stopped') {
      this.#stop(chunk, failure.error);
      return;
    }
    this.#countRejections(failure?.error);
    if (!work.observe) return this.#settleUnobserved(chunk, receipt, failure);
    let present: ReadonlySet<number>;
    try {
      present = await work.observe(chunk.items);
    } catch (error) {
      // The result is the rejection, not the failed read: users often have no permission to read an
      // extension that they may not change.
      if (chunk.items.length === 1 && failure?.errorClass === 'rejected') {
        return this.#finish(chunk.items, 'failed', receiptOfError(failure.error));
      }
      // The items stay `sent`, so that resuming the run reads them back.
      this.#stopped = 'service';
      this.#error ??= error;
      return;
    }
    this.#settle(chunk, present, receipt, failure);
  }

  /** Announces the request of a chunk. Returns false if the run ended meanwhile, so that the request is not sent. */
  async #announce(chunk: Chunk<P>): Promise<boolean> {
    const { beforeSend, signal } = this.#settings;
    try {
      await beforeSend?.(seqs(chunk.items));
      if (signal.aborted) this.#stopped ??= 'interrupted';
    } catch (error) {
      this.#stopped ??= 'service';
      this.#error = error;
    }
    return this.#stopped === undefined;
  }

  /** Ends the run after a request that was not sent, or that the service rejected for all changes. */
  #stop({ items }: Chunk<P>, error: unknown): void {
    const { journal, run, signal } = this.#settings;
    // Ctrl-C ended a wait for the rate limit. The interruption is not an error of the change.
    const isInterrupted = isInterrupt(error, signal);
    journal.mark(run, seqs(items), 'planned', isInterrupted ? {} : receiptOfError(error));
    this.#stopped = isInterrupted ? 'interrupted' : 'service';
    if (isInterrupted) this.#error = undefined;
  }

  /** Stops the run when the service seems to reject everything. */
  #countRejections(error: unknown): void {
    const code = permissionErrorCode(error);
    const isSame = code !== undefined && code === this.#sameRejections.code;
    this.#sameRejections = { code, count: isSame ? this.#sameRejections.count + 1 : 1 };
    if (code !== undefined && this.#sameRejections.count >= maxSameRejections) this.#stopped ??= 'service';
  }

  /** Records the result after reading back. A change that is in effect counts as made, regardless of the reply. */
  #settle(
    chunk: Chunk<P>,
    present: ReadonlySet<number>,
    receipt: SendReceipt,
    failure: Failure | undefined,
  ): void {
    const { inside, outside } = split(chunk.items, present);
    this.#finish(inside, 'ok', failure ? receiptOfError(failure.error) : receipt);
    if (outside.length === 0) return;
    if (!failure) {
      for (const item of outside) {
        this.#finish([item], 'failed', { ...receipt, ...(receipt.rejected?.get(item.seq) ?? notApplied) });
      }
      return;
    }
    if (failure.errorClass === 'rejected') {
      this.#isolate(outside, failure.error);
      return;
    }
    const { journal, run, work, retries, signal } = this.#settings;
    if (signal.aborted) {
      // The service may still make the changes. They stay `sent`, so that resuming the run reads them back.
      this.#stopped ??= 'interrupted';
      return;
    }
    if (chunk.tries < retries && !work.isRetriedByClient) {
      journal.mark(run, seqs(outside), 'planned', receiptOfError(failure.error));
      this.#chunks.unshift({ items: outside, tries: chunk.tries + 1 });
      return;
    }
    this.#finish(outside, 'unknown', receiptOfError(failure.error));
  }

  /** Records the result of changes that cannot be read back. */
  #settleUnobserved(chunk: Chunk<P>, receipt: SendReceipt, failure: Failure | undefined): void {
    const { rejected, ...own } = receipt;
    if (!failure) {
      const { inside, outside } = split(chunk.items, new Set(rejected?.keys()));
      this.#finish(outside, 'ok', own);
      for (const item of inside) this.#finish([item], 'failed', { ...own, ...rejected?.get(item.seq) });
    } else
      this.#finish(
        chunk.items,
        failure.errorClass === 'rejected' ? 'failed' : 'unknown',
        receiptOfError(failure.error),
      );
  }

  /**
   * Splits a rejected request. If the service named the offending items, they are separated from the others;
   * otherwise the items are halved.
   */
  #isolate(items: readonly JournalItem<P>[], error: unknown): void {
    const { journal, run, work } = this.#settings;
    const offenders = new Set(seqs(work.findOffenders?.(error, items) ?? []));
    if (items.length === 1 || offenders.size === items.length) {
      this.#finish(items, 'failed', receiptOfError(error));
      return;
    }
    journal.mark(run, seqs(items), 'planned', receiptOfError(error));
    const middle = Math.ceil(items.length / 2);
    const { inside, outside } =
      offenders.size > 0
        ? split(items, offenders)
        : { inside: items.slice(middle), outside: items.slice(0, middle) };
    this.#chunks.unshift({ items: outside, tries: 0 }, { items: inside, tries: 0 });
  }

  #finish(items: readonly JournalItem<P>[], status: 'ok' | 'failed' | 'unknown', receipt: SendReceipt): void {
    const { journal, run } = this.#settings;
    if (items.length === 0) return;
    journal.mark(run, seqs(items), status, receipt);
    this.#done += items.length;
    if (status !== 'ok') this.#failed += items.length;
  }

  #count(): void {
    this.#done = this.#items.filter(({ status }) => status !== 'planned' && status !== 'sent').length;
    this.#failed = this.#items.filter(({ status }) => status === 'failed' || status === 'unknown').length;
    this.#failedBefore = this.#failed;
  }
}

function seqs<P>(items: readonly JournalItem<P>[]): readonly number[] {
  return items.map(({ seq }) => seq);
}

/** Returns the items by group, in the order of the first item of each group. */
function inGroups<P>(
  items: readonly JournalItem<P>[],
  groupOf: ((item: JournalItem<P>) => string) | undefined,
): Iterable<readonly JournalItem<P>[]> {
  if (!groupOf) return [items];
  const groups = new Map<string, JournalItem<P>[]>();
  for (const item of items) {
    const key = groupOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups.values();
}

function split<P>(
  items: readonly JournalItem<P>[],
  selected: ReadonlySet<number>,
): { readonly inside: readonly JournalItem<P>[]; readonly outside: readonly JournalItem<P>[] } {
  return {
    inside: items.filter(({ seq }) => selected.has(seq)),
    outside: items.filter(({ seq }) => !selected.has(seq)),
  };
}
