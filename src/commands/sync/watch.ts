import type { Client } from '../../client/index.ts';
import { toFilters } from '../../features/live/notification/index.ts';
import {
  announceReady,
  openLiveSession,
  removeReadyFile,
  transportOf,
  type LiveSession,
} from '../../features/live/index.ts';
import { changeCopy, DueMailboxes, type Mailbox, retentionWarnings } from '../../features/mirror/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, messageOf } from '../../errors/command.ts';
import { copyMailboxes } from './copy-mailboxes.ts';
import { namedMailboxes } from './mailboxes.ts';
import { syncLineText, syncView, type SyncLine } from './sync-view.ts';
import type { SyncOptions } from './sync-options.ts';
import { passesAway } from './passes-away.ts';

/** What comes within this time after the first notification is one sync. */
const settleMilliseconds = 1000;
/** Until the next try after a failure. */
const retryMilliseconds = 30_000;

/** `sync --watch`: a round over all mailboxes, then what the service tells of, until Ctrl-C. The copy is locked for each sync only. */
export async function watchMailboxes(
  ctx: Context,
  options: SyncOptions,
  dateFrom: string | undefined,
): Promise<void> {
  // What is wrong with the options is found before anything is copied.
  await transportOf(ctx, options);
  const watch = new Watch(ctx, await ctx.api(), options, dateFrom);
  await removeReadyFile(ctx, options.readyFile);
  try {
    await ctx.out.stream(watch.lines(), { ...syncView, line: syncLineText });
  } finally {
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
  readonly #background = new Set<Promise<void>>();
  #mailboxes: readonly Mailbox[] = [];
  #session: LiveSession | undefined;
  #announced = false;
  readonly #warned = new Set<string>();
  #failing = false;

  constructor(ctx: Context, api: Client, options: SyncOptions, dateFrom: string | undefined) {
    this.#ctx = ctx;
    this.#api = api;
    this.#options = options;
    this.#dateFrom = dateFrom;
  }

  /** What each sync brought; of the first round everything. */
  async *lines(): AsyncGenerator<SyncLine, void, undefined> {
    const { signal } = this.#ctx;
    this.#due.markAll();
    this.#inBackground(this.#sweep());
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      const wanted = this.#due.take();
      const lines = await this.#sync(wanted);
      for (const line of lines) if (isFirst || isNews(line)) yield line;
      if (wanted === 'all' && !this.#failing) await this.#subscribe(lines);
      await this.#due.wait(signal);
      await this.#ctx.sleep(settleMilliseconds).catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    this.#end.abort();
    await Promise.all(this.#background);
    await this.#session?.close();
  }

  /** Syncs what is due; a failure that may pass is told, and tried again. */
  async #sync(wanted: 'all' | ReadonlySet<string>): Promise<readonly SyncLine[]> {
    const ctx = this.#ctx;
    const lines: SyncLine[] = [];
    try {
      await changeCopy(ctx, this.#options, async (db, file) => {
        const run = { ctx, api: this.#api, db, file, options: this.#options, dateFrom: this.#dateFrom };
        if (wanted === 'all') {
          this.#mailboxes = await namedMailboxes(ctx, this.#api, db, this.#options.extension);
        }
        const chosen = this.#mailboxes.filter(
          ({ extensionId }) => wanted === 'all' || wanted.has(extensionId),
        );
        for await (const line of copyMailboxes(run, chosen)) lines.push(line);
        if (wanted !== 'all') return;
        for (const warning of retentionWarnings(db, ctx.now())) this.#warnOnce(warning);
      });
      if (this.#failing) ctx.out.note('syncing again');
      this.#failing = false;
    } catch (error) {
      if (ctx.signal.aborted) return lines;
      if (!passesAway(error)) throw error;
      if (!this.#failing) ctx.out.warn(`${messageOf(error)}; trying again`);
      this.#failing = true;
      this.#inBackground(this.#later(retryMilliseconds));
    }
    return lines;
  }

  #warnOnce(warning: string): void {
    if (!this.#warned.has(warning)) this.#ctx.out.warn(warning);
    this.#warned.add(warning);
  }

  /** After the first round: what came between it and the subscription is found by one more. */
  async #subscribe(lines: readonly SyncLine[]): Promise<void> {
    if (lines.length > 0 && lines.every(({ refused }) => refused !== undefined)) throw allRefused(lines);
    if (this.#session) return;
    const ctx = this.#ctx;
    const refused = new Set(lines.flatMap((line) => (line.refused === undefined ? [] : [line.extensionId])));
    const extensions = this.#mailboxes
      .filter(({ extensionId }) => !refused.has(extensionId))
      .map(({ own, extensionId }) => (own ? '~' : extensionId));
    const transport = await transportOf(ctx, this.#options);
    try {
      this.#session = await openLiveSession(ctx, {
        api: () => Promise.resolve(this.#api),
        request: { eventFilters: [...toFilters(['messages'], { extensions }).filters] },
        transport,
        receiver: 'sync',
        sink: () => ({
          accept: ({ notification }) => Promise.resolve(this.#take(notification?.body?.['extensionId'])),
          reject: () => undefined,
        }),
        onGap: ({ reason }) => this.#lookAtAll(reason),
        onFailure: (error) => this.#lookAtAll(messageOf(error)),
      });
      this.#due.markAll();
      const { address, subscription } = this.#session;
      await announceReady(ctx, { url: transport.url, address, subscription }, this.#options.readyFile);
    } catch (error) {
      if (ctx.signal.aborted) return;
      if (!this.#announced) {
        ctx.out.warn(
          `no live events (${messageOf(error)}); every mailbox is looked at every ${this.#options.sweep} s`,
        );
      }
    }
    this.#announced = true;
  }

  #lookAtAll(reason: string): void {
    this.#ctx.out.note(`${reason}; looking at every mailbox`);
    this.#due.markAll();
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

  /** Until the end, which ends its waiting. */
  #inBackground(work: Promise<void>): void {
    const watched = work.catch(() => undefined).finally(() => this.#background.delete(watched));
    this.#background.add(watched);
  }
}

function allRefused(lines: readonly SyncLine[]): CommandError {
  return new CommandError('permission_missing', Exit.permission, 'every mailbox was refused', {
    details: lines.map(({ mailbox, refused }) => `${mailbox}: ${refused}`),
  });
}

/** Whether a sync brought something, or could not. */
function isNews(line: SyncLine): boolean {
  const { added = 0, changed = 0, deleted = 0, purged = 0, vanished = 0, media = 0, errors } = line;
  return added + changed + deleted + purged + vanished + media + errors > 0 || line.repaired === true;
}
