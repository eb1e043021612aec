import type { Client } from '../../client/index.ts';
import { toFilters } from '../../features/live/notification/index.ts';
import {
  openLiveSession,
  ReadyAnnouncer,
  removeReadyFile,
  transportOf,
  type LiveSession,
} from '../../features/live/index.ts';
import type { Context } from '../../runtime/context.ts';
import { messageOf } from '../../errors/command.ts';
import type { SyncOptions } from './sync-options.ts';

/** What `sync --watch` does on the events of its session. */
export interface SessionEvents {
  /** Called with the extension of a notification. */
  readonly onChange: (extensionId: unknown) => void;
  /** Called when events may have been missed. */
  readonly onGap: (reason: string) => void;
  /** Called when no more events can arrive; `open` then opens another session. */
  readonly onFailure: (reason: string) => void;
}

interface Opened {
  session?: LiveSession;
  hasFailed: boolean;
  readonly announcer: ReadyAnnouncer;
}

/** The live session of `sync --watch`, which is opened again after it has failed. */
export class WatchedSession {
  readonly #ctx: Context;
  readonly #api: Client;
  readonly #options: SyncOptions;
  readonly #events: SessionEvents;
  #current: Opened | undefined;
  /** Whether the failure to open a session was reported, since there was a session last. */
  #isReported = false;
  #wasReady = false;

  constructor(ctx: Context, api: Client, options: SyncOptions, events: SessionEvents) {
    this.#ctx = ctx;
    this.#api = api;
    this.#options = options;
    this.#events = events;
  }

  /**
   * Opens a session unless there is one that works. Reports once if live events are not available.
   * @param signal ends the run; no session stays open after it aborts.
   * @returns whether a session was opened. @throws {CommandError} `ready_file_failed` (exit 12) for the first session.
   */
  async open(extensions: readonly string[], signal: AbortSignal): Promise<boolean> {
    if (this.#current && !this.#current.hasFailed) return false;
    await this.close();
    const transport = await transportOf(this.#ctx, this.#options);
    const announcer = new ReadyAnnouncer(this.#ctx, this.#options.readyFile, signal);
    const current: Opened = { hasFailed: false, announcer };
    try {
      current.session = await this.#openSession(current, transport, extensions);
    } catch (error) {
      if (!signal.aborted) this.#report(error);
      return false;
    }
    this.#current = current;
    this.#isReported = false;
    if (signal.aborted) await this.close();
    else await this.#announce(announcer, current.session, transport.url);
    return !signal.aborted;
  }

  /** Closes the session, and deletes its subscription. */
  async close(): Promise<void> {
    const { session } = this.#current ?? {};
    this.#current = undefined;
    await session?.close();
  }

  #openSession(
    current: Opened,
    transport: Awaited<ReturnType<typeof transportOf>>,
    extensions: readonly string[],
  ): Promise<LiveSession> {
    const { onChange, onGap, onFailure } = this.#events;
    return openLiveSession(this.#ctx, {
      api: () => Promise.resolve(this.#api),
      request: { eventFilters: [...toFilters(['messages'], { extensions }).filters] },
      transport,
      receiver: 'sync',
      sink: () => ({
        accept: ({ notification }) => Promise.resolve(onChange(notification?.body?.['extensionId'])),
        reject: () => undefined,
      }),
      onUpdate: (subscription) => current.announcer.follow(subscription),
      onGap: ({ reason }) => onGap(reason),
      onFailure: (failure) => {
        current.hasFailed = true;
        void this.#retract().then(() => onFailure(messageOf(failure)));
      },
    });
  }

  /** Deletes the ready file until another session is open. */
  async #retract(): Promise<void> {
    try {
      await removeReadyFile(this.#ctx, this.#options.readyFile);
    } catch (error) {
      this.#ctx.out.warn(messageOf(error));
    }
  }

  #report(error: unknown): void {
    if (!this.#isReported)
      this.#ctx.out.warn(
        `live events are not available (${messageOf(error)}); syncing all mailboxes every ${this.#options.sweep} s`,
      );
    this.#isReported = true;
  }

  /** Later failures to write the ready file cause only a warning, because events arrive again. */
  async #announce(
    announcer: ReadyAnnouncer,
    { address, subscription }: LiveSession,
    url: string | undefined,
  ): Promise<void> {
    try {
      await announcer.announce({ url, address, subscription });
    } catch (error) {
      if (!this.#wasReady) throw error;
      this.#ctx.out.warn(messageOf(error));
    }
    this.#wasReady = true;
  }
}
