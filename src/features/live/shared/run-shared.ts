import { hostname } from 'node:os';
import type { Client } from '../../../client/index.ts';
import { messageOf } from '../../../errors/command.ts';
import { retryText } from '../../../errors/hint-of.ts';
import { NewerStoreError } from '../../../errors/newer-store.ts';
import { ownProcess } from '../../../platform/own-process.ts';
import type { Postgres } from '../../../platform/postgres/postgres.ts';
import { processName } from '../../../platform/process-name.ts';
import { inSpan } from '../../../platform/spans.ts';
import type { Context } from '../../../runtime/context.ts';
import type { AddedEvent } from '../../../store/event-log.ts';
import { announceReady, removeReadyFile } from '../announce.ts';
import type { EventChange } from '../log/append-statements.ts';
import { NotOwnerError } from '../log/not-owner.ts';
import { PostgresEventLog } from '../log/postgres-event-log.ts';
import type { RecoveryStore } from '../recover/recovery.ts';
import { storingSink, type RejectedRecovery } from '../storing-sink.ts';
import type { Intake } from '../subscription/transport.ts';
import type { ReceiverMonitor } from './monitor.ts';
import { OwnerDuties } from './owner-duties.ts';
import { OwnerTurns } from './owner-turns.ts';
import type { ReceiverProcess } from './process-table.ts';
import {
  joinReceiver,
  leaveReceiver,
  requestRecovery,
  type JoinedReceiver,
  type ReceiverDefinition,
  type ReceiverTurn,
} from './receiver-table.ts';
import type { SharedReceiving } from './receiving.ts';
import { storeRecovery } from './store-recovery.ts';
import { Trimming } from './trimming.ts';
import { nextStep, ucctl } from '../../../errors/hint.ts';

/** A place for events outside of the store. */
export interface SharedStream {
  /** Resolves when the event is durable; only then may it be acknowledged. */
  append(event: AddedEvent): Promise<'new' | 'duplicate'>;
  /** The recovery of the receiver. */
  readonly recovery: RecoveryStore;
}

/** One process of a receiver whose events go to a store. */
export interface SharedPlan {
  readonly db: Postgres;
  readonly definition: ReceiverDefinition;
  /** Opens the client; not called without a subscription. */
  readonly api: () => Promise<Client>;
  /** Returns how the process receives, with the path and the verification token of the store. */
  readonly receiving: (joined: JoinedReceiver) => SharedReceiving;
  /** A change that is made with the new events in the store, all or nothing. */
  readonly change: EventChange;
  /** Stores the events instead of the log in the store. */
  readonly stream?: SharedStream | undefined;
  /** Checks every second that this version knows the schema of the store. @throws {NewerStoreError} */
  readonly requireSchema: () => Promise<void>;
  /** Called every second. */
  readonly onTick: () => Promise<void>;
  /** Seconds after which ucctl deletes events of this receiver that all consumers have finished. */
  readonly retainSeconds: number;
  readonly readyFile: string | undefined;
  readonly monitor?: ReceiverMonitor;
}

const drainMilliseconds = 5000;
/** Milliseconds between two reports of a process. */
const tickMilliseconds = 1000;

/**
 * Receives events into the store until the run is aborted. Any number of processes can receive events. One of
 * them is the owner, which creates and renews the subscription. The subscription stays on the service,
 * because a restart must not lose events.
 */
export async function runShared(ctx: Context, plan: SharedPlan): Promise<void> {
  try {
    await new SharedRun(ctx, plan).run();
  } finally {
    await removeReadyFile(ctx, plan.readyFile);
  }
}

class SharedRun {
  readonly #ctx: Context;
  readonly #plan: SharedPlan;
  readonly #log: PostgresEventLog;
  readonly #self: ReceiverProcess;
  readonly #turns: OwnerTurns;
  readonly #trimming: Trimming;
  readonly #end = new AbortController();
  readonly #duties = new OwnerDuties({
    run: (fence, turn, signal) => this.#own(fence, turn, signal),
    onFailure: (error) => this.#ownerFailed(error),
    onEnd: () => {
      if (this.#receiving?.isExclusive && !this.#end.signal.aborted)
        this.#ctx.out.note('Standby: this process is no longer the owner, and has closed its WebSocket.');
    },
  });
  #receiving: SharedReceiving | undefined;
  #isReady = false;
  #isStoreFailing = false;
  #subscriptionId: string | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(ctx: Context, plan: SharedPlan) {
    this.#ctx = ctx;
    this.#plan = plan;
    this.#log = new PostgresEventLog(plan.db, plan.change);
    this.#self = {
      process: processName(),
      machine: hostname(),
      pid: ownProcess.pid,
      version: ctx.version,
    };
    const { db, definition, retainSeconds } = plan;
    const receiver = definition.name;
    this.#trimming = new Trimming({
      db,
      log: this.#log,
      receiver,
      retainSeconds,
      onFailure: (error) => ctx.out.warn(`could not delete old events: ${messageOf(error)}; retrying later`),
    });
    const hasOwner = definition.eventFilters !== undefined;
    this.#turns = new OwnerTurns({ db, receiver, self: this.#self, hasOwner });
  }

  get #name(): string {
    return this.#plan.definition.name;
  }

  async run(): Promise<void> {
    const end = (): void => this.#end.abort();
    this.#ctx.signal.addEventListener('abort', end);
    if (this.#ctx.signal.aborted) end();
    try {
      const joined = await joinReceiver(this.#plan.db, this.#plan.definition, this.#self);
      const receiving = this.#plan.receiving(joined);
      this.#receiving = receiving;
      try {
        await this.#receive(receiving);
      } finally {
        await receiving.close(drainMilliseconds);
        await this.#leave();
        await this.#trimming.end();
      }
    } finally {
      this.#ctx.signal.removeEventListener('abort', end);
      this.#end.abort();
    }
    if (this.#failure) throw this.#failure.error as Error;
  }

  async #receive(receiving: SharedReceiving): Promise<void> {
    const store: Intake = {
      accept: ({ key, raw, notification }) =>
        this.#monitored(key, () =>
          this.#append({
            receiver: this.#name,
            key,
            raw,
            origin: receiving.origin,
            encrypted: !notification,
            notification,
            fence: receiving.isExclusive ? this.#ownFence() : undefined,
          }),
        ),
      reject: () => this.#plan.monitor?.rejected(),
    };
    // The owner of a WebSocket gets the events again that it has not stored.
    const needsRecovery = !receiving.isExclusive && this.#plan.definition.eventFilters !== undefined;
    const sink = storingSink(this.#ctx, store, needsRecovery ? this.#rejectedRecovery() : undefined);
    await receiving.open({ ...sink, keys: () => [] }, (error) => this.#fail(error));
    if (!this.#plan.definition.eventFilters) await this.#ready(undefined);
    while (!this.#end.signal.aborted) {
      await this.#tick();
      await this.#ctx.sleep(tickMilliseconds, this.#end.signal).catch(() => undefined);
    }
  }

  /** Only the owner recovers events, which may be another process. */
  #rejectedRecovery(): RejectedRecovery {
    return {
      signal: this.#end.signal,
      recover: () =>
        requestRecovery(this.#plan.db, this.#name).then(
          () => true,
          () => false,
        ),
    };
  }

  /** Stores an event in a span, and reports it to the monitor. */
  async #monitored(
    key: string,
    append: () => Promise<readonly ('new' | 'duplicate')[]>,
  ): Promise<readonly ('new' | 'duplicate')[]> {
    const { monitor } = this.#plan;
    const startedAt = ownProcess.monotonicMilliseconds();
    try {
      const attributes = { 'messaging.message.id': key, 'ucctl.receiver': this.#name };
      const results = await inSpan({ name: 'receive event', kind: 'consumer', attributes }, append);
      for (const result of results) monitor?.stored(result, ownProcess.monotonicMilliseconds() - startedAt);
      return results;
    } catch (error) {
      monitor?.failed();
      throw error;
    }
  }

  /** @throws {NotOwnerError} */
  #ownFence(): number {
    const { fence } = this.#duties;
    if (fence === undefined) throw new NotOwnerError();
    return fence;
  }

  async #append(event: AddedEvent): Promise<readonly ('new' | 'duplicate')[]> {
    const { stream } = this.#plan;
    return stream ? [await stream.append(event)] : this.#log.append([event]);
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#end.abort();
  }

  /** Reports this process, and starts or ends its duties as the owner. */
  async #tick(): Promise<void> {
    try {
      await this.#plan.requireSchema();
      const startedAt = ownProcess.monotonicMilliseconds();
      const turn = await this.#turns.take(this.#receiving?.isExclusive !== true);
      this.#subscriptionId = turn.subscriptionId;
      this.#duties.follow(turn, startedAt);
      this.#plan.monitor?.turn(turn);
      await this.#plan.onTick();
      await this.#trimming.startIfDue();
      await this.#readyIfOwned(turn);
      if (this.#isStoreFailing) this.#ctx.out.note('The store is available again.');
      this.#isStoreFailing = false;
    } catch (error) {
      if (this.#end.signal.aborted) return;
      this.#plan.monitor?.turn({ storeProblem: messageOf(error) });
      if (!this.#isReady || error instanceof NewerStoreError) return this.#fail(error);
      if (!this.#isStoreFailing)
        this.#ctx.out.warn(`the store is not available: ${messageOf(error)}; retrying`);
      this.#isStoreFailing = true;
    }
  }

  async #ownerFailed(problem: unknown): Promise<void> {
    if (!this.#isReady) return this.#fail(problem);
    this.#ctx.out.warn(nextStep`could not maintain the subscription: ${retryText(problem)}`);
    await this.#turns.giveUp().catch(() => undefined);
  }

  async #own(fence: number, turn: ReceiverTurn, signal: AbortSignal): Promise<void> {
    const { db, definition, api, stream } = this.#plan;
    const { eventFilters = [] } = definition;
    await this.#receiving?.own(
      {
        ctx: this.#ctx,
        db,
        api: await api(),
        receiver: this.#name,
        eventFilters,
        wasReady: this.#isReady,
        recovery: stream ? this.#streamRecovery(stream) : storeRecovery(db, this.#log, this.#name, fence),
        signal,
        onReady: (subscription) => {
          this.#subscriptionId = subscription.id;
          if (this.#isReady && this.#receiving?.isExclusive)
            this.#ctx.out.note('This process now receives the events.');
          void this.#ready(subscription).catch((error: unknown) => this.#fail(error));
        },
      },
      fence,
      turn,
    );
  }

  /** A stream knows no fence, so the process itself checks whether it is still the owner. */
  #streamRecovery({ recovery }: SharedStream): RecoveryStore {
    const add: RecoveryStore['add'] = async (received, origin) => {
      this.#ownFence();
      return recovery.add(received, origin);
    };
    return { ...recovery, add };
  }

  /** A process that is not the owner is ready when the owner has created the subscription. */
  async #readyIfOwned({ fence, owner, subscriptionId, replaces }: ReceiverTurn): Promise<void> {
    const { eventFilters } = this.#plan.definition;
    if (
      !eventFilters ||
      fence !== undefined ||
      owner === undefined ||
      subscriptionId === undefined ||
      replaces
    )
      return;
    if (!this.#isReady && this.#receiving?.isExclusive)
      this.#ctx.out.note(`Standby: ${owner} receives the events. This process takes over if ${owner} ends.`);
    await this.#ready({ id: subscriptionId, eventFilters: [...eventFilters] });
  }

  async #ready(subscription: Parameters<typeof announceReady>[1]['subscription']): Promise<void> {
    if (this.#isReady || this.#end.signal.aborted) return;
    this.#isReady = true;
    const { url, address = '' } = this.#receiving ?? {};
    await announceReady(this.#ctx, { url, address, subscription }, this.#plan.readyFile);
    this.#plan.monitor?.ready();
  }

  async #leave(): Promise<void> {
    await this.#duties.end();
    // This version must not write to the store. Other processes count this one as lost.
    if (this.#failure?.error instanceof NewerStoreError) return;
    let left = 0;
    try {
      left = await leaveReceiver(this.#plan.db, this.#name, this.#self);
    } catch (error) {
      this.#ctx.out.warn(`could not remove this process from the store: ${messageOf(error)}`);
      return;
    }
    // A subscription through a WebSocket ends with its session.
    if (this.#receiving?.isExclusive) return;
    if (left > 0 || this.#subscriptionId === undefined || !this.#isReady) return;
    const id = this.#subscriptionId;
    this.#ctx.out.note(
      nextStep`Subscription ${id} stays active until it expires, so that a restart loses no events. To delete it: ${ucctl`subscribe delete ${id}`}`,
    );
  }
}
