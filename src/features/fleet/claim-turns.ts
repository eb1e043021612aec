import type { FleetSession } from '../../runtime/fleet-session.ts';
import { claim, type ClaimedTask } from './claims.ts';
import type { Rejections } from './rejections.ts';
import type { TaskKind } from './tasks.ts';
import type { FleetWorkerSettings } from './worker-settings.ts';

/** Milliseconds between two checks for due tasks, also after a failure of the store. */
export const pollMilliseconds = 1000;
/**
 * Longest time in milliseconds for which a computed wait for a budget is used, because replies to another
 * worker may change the budget.
 */
const longestTrust = 5000;

/** The first request of each kind of task, which determines the usage group. */
export const firstRequests: Readonly<Record<TaskKind, readonly [string, string]>> = {
  messages: ['GET', '/restapi/v1.0/account/~/extension/1/message-sync'],
  calls: ['GET', '/restapi/v1.0/account/~/call-log'],
  media: ['GET', '/restapi/v1.0/account/~/extension/1/message-store/1/content/1'],
};

/** A claimed task, and the session that executes it. */
export interface ClaimedWork {
  readonly task: ClaimedTask;
  readonly session: FleetSession;
  /** Called when the attempt ends: releases the request that was taken with the claim, if it was not sent. */
  readonly withdraw: (() => void) | undefined;
}

type ClaimSettings = Pick<FleetWorkerSettings, 'db' | 'facts' | 'kinds' | 'leaseMilliseconds' | 'onLimited'>;

/**
 * The order in which a worker claims tasks: kinds take turns, and the sessions take turns for each kind. A session without
 * budget for a kind is not used until its budget allows a request.
 */
export class ClaimTurns {
  readonly #settings: ClaimSettings;
  readonly #monotonic: () => number;
  readonly #onFailure: (error: unknown) => void;
  readonly #rejections: Pick<Rejections, 'exist'>;
  /** Time until which a budget allows no request, by sign-in and kind; monotonic milliseconds. */
  readonly #spentUntil = new Map<string, number>();
  /** Number of claimed tasks. A call that finds no task is not a turn, or a quiet worker would always use the same session. */
  #claims = 0;
  readonly #claimsOfKind = new Map<TaskKind, number>();

  /** @param monotonic milliseconds of a monotonic clock @param onFailure called when a claim fails */
  constructor(
    settings: ClaimSettings,
    rejections: Pick<Rejections, 'exist'>,
    monotonic: () => number,
    onFailure: (error: unknown) => void,
  ) {
    this.#settings = settings;
    this.#rejections = rejections;
    this.#monotonic = monotonic;
    this.#onFailure = onFailure;
  }

  /**
   * Claims one task.
   * @param running the tasks that run; downloads use at most half of the concurrent tasks, because they wait for a
   * separate rate budget.
   * @returns the milliseconds to wait if the budgets allow no request, or `idle` if no task is due.
   */
  async next(
    sessions: readonly FleetSession[],
    running: readonly ClaimedTask[],
  ): Promise<ClaimedWork | 'idle' | number> {
    let least: number | undefined;
    for (const kind of rotated(this.#settings.kinds, this.#claims)) {
      if (kind === 'media' && this.#isCrowdedByMedia(running)) continue;
      const claimsOfKind = this.#claimsOfKind.get(kind) ?? 0;
      for (const session of rotated(sessions, claimsOfKind)) {
        const result = await this.#claimWith(session, kind);
        if (result === 'idle') {
          // Tasks that the service rejected with this sign-in may be due for the others.
          if (this.#rejections.exist) continue;
          break;
        }
        if (typeof result === 'object') {
          this.#claims += 1;
          this.#claimsOfKind.set(kind, claimsOfKind + 1);
          return result;
        }
        least = Math.min(least ?? result, result);
      }
    }
    return least ?? 'idle';
  }

  #isCrowdedByMedia(running: readonly ClaimedTask[]): boolean {
    const media = running.filter(({ kind }) => kind === 'media');
    return media.length >= Math.max(1, Math.floor(this.#settings.facts.concurrency / 2));
  }

  async #claimWith(session: FleetSession, kind: TaskKind): Promise<ClaimedWork | 'idle' | number> {
    const { db, facts, leaseMilliseconds, onLimited } = this.#settings;
    const key = `${session.profile}\n${kind}`;
    const now = this.#monotonic();
    const spentUntil = this.#spentUntil.get(key) ?? 0;
    if (spentUntil > now) return spentUntil - now;
    const group = session.groupOf(...firstRequests[kind]);
    try {
      const claimed = await claim(db, {
        kind,
        worker: facts.worker,
        session: session.profile,
        leaseMilliseconds,
        budget: { owner: session.owner, group },
        prepays: kind !== 'media',
        excludedFor: this.#rejections.exist ? session.rejectionOwner : undefined,
      });
      if (!claimed) return 'idle';
      if ('waitMilliseconds' in claimed) {
        onLimited?.(kind, session.profile);
        this.#spentUntil.set(key, now + Math.min(claimed.waitMilliseconds, longestTrust));
        return claimed.waitMilliseconds;
      }
      const withdraw = claimed.taken ? session.prepay(group, claimed.taken) : undefined;
      return { task: claimed.task, session, withdraw };
    } catch (error) {
      this.#onFailure(error);
      return pollMilliseconds;
    }
  }
}

function rotated<T>(items: readonly T[], by: number): readonly T[] {
  if (items.length < 2) return items;
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
