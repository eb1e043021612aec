import type { Client } from '../../client/index.ts';
import { removeReadyFile, removeStaleReadyFile, transportOf } from '../../features/live/index.ts';
import { changeCopy, choosePolicy, DueMailboxes, storedPolicy } from '../../features/mirror/index.ts';
import type { Archive } from '../../store/archive.ts';
import type { Mailbox } from '../../store/mailbox.ts';
import type { MessageStore } from '../../store/message-store.ts';
import type { OnDelete } from '../../store/reply.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, messageOf } from '../../errors/command.ts';
import { copyMailboxes } from './copy-mailboxes.ts';
import type { PlaceState } from './copy-run.ts';
import { namedMailboxes } from './mailboxes.ts';
import { liveSyncView, type SyncRow } from './sync.rows.ts';
import type { SyncOptions } from './sync-options.ts';
import { isTemporary } from './is-temporary.ts';
import { WatchedSession } from './watched-session.ts';
import { type Hint, hintText } from '../../errors/hint.ts';

/** Milliseconds: notifications that arrive within this time after the first one lead to one sync. */
const settleMilliseconds = 1000;
/** Milliseconds until the retry after a failure. */
const retryMilliseconds = 30_000;

/**
 * `sync --watch`: syncs all mailboxes, then each mailbox for which a notification arrives, until Ctrl-C. The local
 * mailbox copy is locked only during a sync.
 */
export async function watchMailboxes(
  ctx: Context,
  options: SyncOptions,
  dateFrom: string | undefined,
): Promise<void> {
  await removeStaleReadyFile(ctx, options.readyFile);
  // Options are checked before any mailbox is copied.
  await transportOf(ctx, options);
  const watch = new Watch(ctx, await ctx.api(), options, dateFrom);
  const lines = watch.lines();
  try {
    await ctx.out.stream(lines, liveSyncView);
  } finally {
    watch.stop();
    // If the reader of stdout has exited, the stream ended during a step of the work.
    await lines.return();
    await watch.close();
    await removeReadyFile(ctx, options.readyFile);
  }
}

class Watch {
  readonly #ctx: Context;
  readonly #api: Client;
  readonly #options: SyncOptions;
  readonly #dateFrom: string | undefined;
  readonly #due = new DueMailboxes();
  readonly #end = new AbortController();
  /** Aborts when the run is interrupted, or its output has ended. */
  readonly #signal: AbortSignal;
  readonly #background = new Set<Promise<void>>();
  #mailboxes: readonly Mailbox[] = [];
  readonly #session: WatchedSession;
  readonly #warned = new Set<string>();
  #failing = false;
  #hasPolicy = false;

  constructor(ctx: Context, api: Client, options: SyncOptions, dateFrom: string | undefined) {
    this.#ctx = ctx;
    this.#api = api;
    this.#options = options;
    this.#dateFrom = dateFrom;
    this.#signal = AbortSignal.any([ctx.signal, this.#end.signal]);
    this.#session = new WatchedSession(ctx, api, options, {
      onChange: (extensionId) => this.#take(extensionId),
      onGap: (reason) => {
        ctx.out.note(`${reason}; syncing all mailboxes`);
        this.#due.markAll();
      },
      onFailure: (reason) => {
        ctx.out.warn(
          `${reason}; syncing all mailboxes and subscribing again in ${retryMilliseconds / 1000} s`,
        );
        this.#inBackground(this.#later(retryMilliseconds));
      },
    });
  }

  /** Yields a row for each sync with changes, and in the first round a row for each scope. */
  async *lines(): AsyncGenerator<SyncRow, void, undefined> {
    const signal = this.#signal;
    this.#due.markAll();
    this.#inBackground(this.#sweep());
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      const wanted = this.#due.take();
      const lines = await this.#sync(wanted);
      for (const line of lines) if (isFirst || isNews(line)) yield line;
      if (wanted === 'all' && !this.#failing && !signal.aborted) await this.#subscribe(lines);
      await this.#due.wait(signal);
      await this.#ctx.sleep(settleMilliseconds, signal).catch(() => undefined);
    }
  }

  /** Ends the work of `lines`. */
  stop(): void {
    this.#end.abort();
  }

  async close(): Promise<void> {
    await Promise.all(this.#background);
    await this.#session.close();
  }

  /** Syncs the mailboxes for which a sync was requested. A temporary failure is reported once and retried. */
  async #sync(wanted: 'all' | ReadonlySet<string>): Promise<readonly SyncRow[]> {
    const ctx = this.#ctx;
    const lines: SyncRow[] = [];
    const place: PlaceState = {};
    let hasMailboxes = false;
    try {
      const copy = async (archive: Archive): Promise<void> => {
        const { messages } = archive;
        const [options, dateFrom, signal] = [this.#options, this.#dateFrom, this.#signal];
        if (wanted === 'all' && !hasMailboxes) await this.#readMailboxes(messages);
        const onDelete = await this.#policy(messages);
        const run = { ctx, signal, api: this.#api, archive, options, onDelete, dateFrom, place };
        const chosen = this.#mailboxes.filter(
          ({ extensionId }) => wanted === 'all' || wanted.has(extensionId),
        );
        for await (const line of copyMailboxes(run, chosen)) lines.push(line);
        if (wanted !== 'all') return;
        for (const warning of await messages.retentionWarnings(ctx.now())) this.#warnOnce(warning);
      };
      const work = (archive: Archive): Promise<void> => archive.messages.syncing(() => copy(archive));
      await changeCopy(ctx, this.#options, work, async () => {
        await this.#readMailboxes(undefined);
        hasMailboxes = true;
      });
      if (place.failure) this.#warnOnce(`${messageOf(place.failure)}; only messages are copied`);
      if (place.fileFailure)
        this.#warnOnce(`could not delete an unused attachment: ${messageOf(place.fileFailure)}`);
      if (this.#failing) ctx.out.note('sync is working again');
      this.#failing = false;
    } catch (error) {
      if (this.#signal.aborted) return lines;
      if (!isTemporary(error)) throw error;
      if (!this.#failing) ctx.out.warn(`${messageOf(error)}; retrying`);
      this.#failing = true;
      this.#inBackground(this.#later(retryMilliseconds));
    }
    return lines;
  }

  /**
   * Returns the policy of `--on-delete` in the first round. Later rounds also remove messages if the command states `purge`,
   * and otherwise use the stored policy, which another run may change.
   */
  async #policy(messages: MessageStore): Promise<OnDelete> {
    const { onDelete } = this.#options;
    if (this.#hasPolicy) return onDelete === 'purge' ? onDelete : storedPolicy(messages);
    const ids = this.#mailboxes.map(({ extensionId }) => extensionId);
    const policy = await choosePolicy(this.#ctx, messages, onDelete, ids);
    this.#hasPolicy = true;
    return policy;
  }

  async #readMailboxes(store: MessageStore | undefined): Promise<void> {
    const run = { signal: this.#signal, now: () => this.#ctx.now(), sender: () => this.#ctx.sender() };
    this.#mailboxes = await namedMailboxes(run, this.#api, store, this.#options.extension);
  }

  #warnOnce(warning: Hint): void {
    const text = hintText(warning);
    if (!this.#warned.has(text)) this.#ctx.out.warn(warning);
    this.#warned.add(text);
  }

  /** Subscribes after a round, and starts another round for changes between that round and the subscription. */
  async #subscribe(lines: readonly SyncRow[]): Promise<void> {
    if (lines.length > 0 && lines.every(({ problem }) => problem !== undefined)) throw noneReadable(lines);
    const skipped = new Set(lines.flatMap((line) => (line.problem === undefined ? [] : [line.extensionId])));
    const extensions = this.#mailboxes
      .filter(({ extensionId }) => !skipped.has(extensionId))
      .map(({ own, extensionId }) => (own ? '~' : extensionId));
    if (await this.#session.open(extensions, this.#signal)) this.#due.markAll();
  }

  #take(extensionId: unknown): void {
    const id = typeof extensionId === 'number' ? String(extensionId) : extensionId;
    if (typeof id === 'string' && this.#mailboxes.some((mailbox) => mailbox.extensionId === id)) {
      this.#due.mark(id);
    } else this.#due.markAll();
  }

  async #sweep(): Promise<void> {
    for (;;) await this.#later(this.#options.sweep * 1000);
  }

  async #later(milliseconds: number): Promise<void> {
    await this.#ctx.sleep(milliseconds, this.#end.signal);
    this.#due.markAll();
  }

  /** Runs work until `close`, which aborts the waits of the work. */
  #inBackground(work: Promise<void>): void {
    const watched = work.catch(() => undefined).finally(() => this.#background.delete(watched));
    this.#background.add(watched);
  }
}

function noneReadable(lines: readonly SyncRow[]): CommandError {
  return new CommandError('permission_missing', Exit.permission, 'cannot read any of the mailboxes', {
    hint: 'sign in as an administrator, or select your own mailbox',
    details: lines.map(({ mailbox, problem }) => `${mailbox}: ${problem}`),
  });
}

/** Returns whether a sync changed or repaired the local mailbox copy, or had errors. */
function isNews(line: SyncRow): boolean {
  const { added = 0, changed = 0, deleted = 0, purged = 0, vanished = 0, media = 0, errors = 0 } = line;
  return added + changed + deleted + purged + vanished + media + errors > 0 || line.repaired === true;
}
