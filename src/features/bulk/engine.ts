import { doubtfulCode, judge, verdictOf, type Judgement } from './judge.ts';
import type { Journal, JournalItem, Verdict } from './journal.ts';

/** How the items of one kind of run are done. */
export interface BulkWork<P> {
  /** Does all of these in one request; throws what the client throws. */
  send(items: readonly JournalItem<P>[]): Promise<Verdict>;
  /**
   * Reads back which of these are so now, by their `seq`. Left out for what cannot be read back and must not be done twice, such as a text
   * message: then an item goes alone, and one whose answer was lost stays unknown.
   */
  readonly observe?: (items: readonly JournalItem<P>[]) => Promise<ReadonlySet<number>>;
  /** What an error says, where this kind of work knows better than the usual judgement. */
  readonly judge?: (error: unknown) => Judgement | undefined;
  /** The client sends a request of this work again by itself, as often as the user allows: the engine then does not. */
  readonly isRepeatedByClient?: boolean;
  /** The items that the service named in its refusal, where it did: saves requests when searching for the guilty one. */
  readonly blame?: (error: unknown, items: readonly JournalItem<P>[]) => readonly JournalItem<P>[];
}

export interface BulkLimits {
  /** Items in one request. */
  readonly maxItems: number;
  /** Requests at the same time. */
  readonly concurrency: number;
  /** Stops when more items than this have failed. */
  readonly maxErrors: number;
  /** Further tries of a request with an unknown outcome, each only for what was read back as not done. */
  readonly retries: number;
}

export interface BulkProgress {
  readonly done: number;
  readonly failed: number;
  readonly total: number;
}

export interface BulkSettings<P> extends BulkLimits {
  readonly journal: Journal;
  readonly run: string;
  readonly work: BulkWork<P>;
  /** Aborted: what is under way is finished and accounted for, nothing more is sent. */
  readonly signal: AbortSignal;
  /** Waits; rejects when the signal aborts. */
  sleep(milliseconds: number): Promise<void>;
  readonly onProgress?: (progress: BulkProgress) => void;
}

export interface BulkEnd {
  /** Why items are left that were not sent; undefined when all were dealt with. */
  readonly stopped: 'interrupted' | 'max-errors' | 'service' | undefined;
  /** What the service or the network answered last that was no success. */
  readonly error: unknown;
}

/** Items refused one after the other with the same code, after which it is taken to be about all of them. */
const refusalsInRow = 5;

/** Waits before a request with an unknown outcome is sent again: each is twice the one before. */
const firstPauseMilliseconds = 250;
const longestPauseMilliseconds = 20_000;

interface Chunk<P> {
  readonly items: readonly JournalItem<P>[];
  /** How often it was sent already without its outcome being known. */
  readonly tries: number;
}

/**
 * Carries a run of the journal to its end, from wherever it stands: reads back what an earlier process sent and did not account for, sends
 * the rest in the fewest requests, splits a refused request until the guilty items are alone, and believes no answer that it can check.
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
  #stopped: BulkEnd['stopped'];
  #error: unknown;
  #inRow: { readonly code: string | undefined; readonly count: number } = { code: undefined, count: 0 };

  constructor(settings: BulkSettings<P>) {
    this.#settings = settings;
    this.#items = settings.journal.items<P>(settings.run);
    this.#count();
  }

  /** Items that a killed process sent, and those whose outcome was never known: read back where that is possible, else unknown. */
  async settleSent(): Promise<void> {
    const { journal, run, work } = this.#settings;
    const sent = this.#items.filter(
      ({ status }) => status === 'sent' || (status === 'unknown' && work.observe !== undefined),
    );
    if (sent.length > 0) {
      const held = await work.observe?.(sent);
      if (held) {
        const { inside, outside } = split(sent, held);
        journal.mark(run, seqs(inside), 'ok', { message: 'found done after an interruption' });
        journal.mark(run, seqs(outside), 'planned');
      } else {
        journal.mark(run, seqs(sent), 'unknown', { code: 'outcome_unknown', message: 'the run broke off' });
      }
      this.#items = journal.items<P>(run);
      this.#count();
    }
    const size = work.observe ? this.#settings.maxItems : 1;
    const left = this.#items.filter(({ status }) => status === 'planned');
    for (let at = 0; at < left.length; at += size) {
      this.#chunks.push({ items: left.slice(at, at + size), tries: 0 });
    }
  }

  async run(): Promise<void> {
    // Before the first request too: it may have to wait long.
    this.#tell();
    const workers = Math.max(1, this.#settings.concurrency);
    await Promise.all(Array.from({ length: workers }, () => this.#take()));
  }

  end(): BulkEnd {
    return { stopped: this.#stopped, error: this.#error };
  }

  async #take(): Promise<void> {
    for (;;) {
      if (this.#settings.signal.aborted && this.#chunks.length > 0) this.#stopped ??= 'interrupted';
      if (this.#stopped !== undefined) return;
      const chunk = this.#chunks.shift();
      if (!chunk) return;
      if (chunk.tries > 0 && !(await this.#isTimeFor(chunk))) continue;
      await this.#send(chunk);
      this.#tell();
      if (this.#failed > this.#settings.maxErrors) this.#stopped ??= 'max-errors';
    }
  }

  /** Gives the service time to get well. False when the run ended meanwhile: the chunk is left. */
  async #isTimeFor(chunk: Chunk<P>): Promise<boolean> {
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

  #tell(): void {
    this.#settings.onProgress?.({ done: this.#done, failed: this.#failed, total: this.#items.length });
  }

  async #send(chunk: Chunk<P>): Promise<void> {
    const { journal, run, work } = this.#settings;
    journal.markSent(run, seqs(chunk.items));
    let receipt: Verdict = {};
    let refusal: { readonly error: unknown; readonly judgement: Judgement } | undefined;
    try {
      receipt = await work.send(chunk.items);
    } catch (error) {
      refusal = { error, judgement: work.judge?.(error) ?? judge(error, chunk.items.length) };
      this.#error = error;
    }
    if (refusal?.judgement !== 'stopped') this.#countRefusals(refusal?.error);
    if (refusal?.judgement === 'stopped') {
      journal.mark(run, seqs(chunk.items), 'planned', verdictOf(refusal.error));
      this.#stopped = 'service';
      return;
    }
    if (!work.observe) return this.#settleBlind(chunk, receipt, refusal);
    let held: ReadonlySet<number>;
    try {
      held = await work.observe(chunk.items);
    } catch (error) {
      // Whom one may not change, one may often not read either.
      if (chunk.items.length === 1 && refusal?.judgement === 'refused') {
        return this.#finish(chunk.items, 'failed', verdictOf(refusal.error));
      }
      // They stay `sent`: a later process reads them back.
      this.#stopped = 'service';
      this.#error ??= error;
      return;
    }
    this.#settle(chunk, held, receipt, refusal);
  }

  #countRefusals(error: unknown): void {
    const code = doubtfulCode(error);
    const again = code !== undefined && code === this.#inRow.code;
    this.#inRow = { code, count: again ? this.#inRow.count + 1 : 1 };
    if (code !== undefined && this.#inRow.count >= refusalsInRow) this.#stopped ??= 'service';
  }

  /** After reading back: what holds is done, whatever the answer was. */
  #settle(
    chunk: Chunk<P>,
    held: ReadonlySet<number>,
    receipt: Verdict,
    refusal: { readonly error: unknown; readonly judgement: Judgement } | undefined,
  ): void {
    const { inside, outside } = split(chunk.items, held);
    this.#finish(inside, 'ok', refusal ? verdictOf(refusal.error) : receipt);
    if (outside.length === 0) return;
    if (!refusal) {
      this.#finish(outside, 'failed', {
        ...receipt,
        code: 'not_applied',
        message: 'The service accepted the change, but it did not take effect.',
      });
      return;
    }
    if (refusal.judgement === 'refused') {
      this.#isolate(outside, refusal.error);
      return;
    }
    const { journal, run, work, retries } = this.#settings;
    if (chunk.tries < retries && !work.isRepeatedByClient) {
      journal.mark(run, seqs(outside), 'planned', verdictOf(refusal.error));
      this.#chunks.unshift({ items: outside, tries: chunk.tries + 1 });
      return;
    }
    this.#finish(outside, 'unknown', verdictOf(refusal.error));
  }

  #settleBlind(
    chunk: Chunk<P>,
    receipt: Verdict,
    refusal: { readonly error: unknown; readonly judgement: Judgement } | undefined,
  ): void {
    if (!refusal) this.#finish(chunk.items, 'ok', receipt);
    else
      this.#finish(
        chunk.items,
        refusal.judgement === 'refused' ? 'failed' : 'unknown',
        verdictOf(refusal.error),
      );
  }

  /** Parts the guilty from the others: those that the service named, else the one half from the other. */
  #isolate(items: readonly JournalItem<P>[], error: unknown): void {
    const { journal, run, work } = this.#settings;
    const suspects = new Set(seqs(work.blame?.(error, items) ?? []));
    if (items.length === 1 || suspects.size === items.length) {
      this.#finish(items, 'failed', verdictOf(error));
      return;
    }
    journal.mark(run, seqs(items), 'planned', verdictOf(error));
    const middle = Math.ceil(items.length / 2);
    const { inside, outside } =
      suspects.size > 0
        ? split(items, suspects)
        : { inside: items.slice(middle), outside: items.slice(0, middle) };
    this.#chunks.unshift({ items: outside, tries: 0 }, { items: inside, tries: 0 });
  }

  #finish(items: readonly JournalItem<P>[], status: 'ok' | 'failed' | 'unknown', verdict: Verdict): void {
    const { journal, run } = this.#settings;
    if (items.length === 0) return;
    journal.mark(run, seqs(items), status, verdict);
    this.#done += items.length;
    if (status !== 'ok') this.#failed += items.length;
  }

  #count(): void {
    this.#done = this.#items.filter(({ status }) => status !== 'planned' && status !== 'sent').length;
    this.#failed = this.#items.filter(({ status }) => status === 'failed' || status === 'unknown').length;
  }
}

function seqs<P>(items: readonly JournalItem<P>[]): readonly number[] {
  return items.map(({ seq }) => seq);
}

function split<P>(
  items: readonly JournalItem<P>[],
  held: ReadonlySet<number>,
): { readonly inside: readonly JournalItem<P>[]; readonly outside: readonly JournalItem<P>[] } {
  return {
    inside: items.filter(({ seq }) => held.has(seq)),
    outside: items.filter(({ seq }) => !held.has(seq)),
  };
}
