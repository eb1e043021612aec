import type { Wait } from '../../client/index.ts';
import type { Postgres, Queries } from '../../platform/postgres/postgres.ts';
import type { FleetSession } from '../../runtime/fleet-session.ts';
import type { ClaimedTask, guardOf } from './claims.ts';
import type { TaskKind } from './tasks.ts';
import type { WorkerFacts } from './workers.ts';

/** The values for one attempt of a task. */
export interface TaskWork {
  readonly session: FleetSession;
  /** Aborted when the worker no longer has the task, or ends. */
  readonly signal: AbortSignal;
  /** Called when data arrives. Without data for too long, the attempt is ended. */
  readonly progress: () => void;
  /** Called before each wait of a request. */
  readonly onWait: (wait: Wait) => void;
  /** Called first in each transaction that stores data. @throws {FencedError} */
  readonly guard: ReturnType<typeof guardOf>;
}

/** How an attempt of a task ended. */
export interface TaskEnd {
  readonly task: ClaimedTask;
  readonly session: string;
  readonly result: 'done' | 'retry' | 'failed' | 'fenced' | 'released';
  readonly milliseconds: number;
  /** What the task reports about its work; undefined unless it is done. */
  readonly report: object | undefined;
  readonly problem: string | undefined;
}

/** The sign-ins that a worker uses. */
export interface WorkerSessions {
  readonly usable: readonly FleetSession[];
  /** Reads the enrolled sign-ins again if it is time. @throws {StoreError} */
  refresh(): Promise<void>;
  /** Call when no budget allows a request, so that new sign-ins are used soon. */
  wantMore(): void;
  /** Call after an attempt that succeeded with a sign-in. Clears its problem in the store. @throws {StoreError} */
  works(session: FleetSession): Promise<void>;
  /** Call with the reason why a sign-in cannot be used any more. @throws {StoreError} */
  lose(session: FleetSession, problem: string): Promise<void>;
}

/** How a worker executes tasks, and what it reports. */
export interface FleetWorkerSettings {
  readonly db: Postgres;
  readonly facts: WorkerFacts;
  readonly kinds: readonly TaskKind[];
  readonly sessions: WorkerSessions;
  readonly leaseMilliseconds: number;
  /** Whether to end when no task is due or runs. */
  readonly once: boolean;
  /** Checks that this version knows the schema of the store. @throws {NewerStoreError} */
  requireSchema?(queries: Queries): Promise<void>;
  /** Executes one attempt. @returns the report about the attempt. */
  run(task: ClaimedTask, work: TaskWork): Promise<object>;
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  onEnd(end: TaskEnd): void;
  /** Called with the number of due tasks that failed without an attempt, because no usable sign-in may try them. */
  onFailed?(tasks: number): void;
  /** Called when the rate budget of a sign-in does not allow a claim. */
  onLimited?(kind: TaskKind, profile: string): void;
  /** Called with the first failure in a row to reach the store, and with undefined when it works again. */
  onStore(problem: string | undefined): void;
  /** Called when an interrupted worker ends without the store, because the store does not reply. */
  onAbandonedStore?(): void;
  /** Called when the service does not reply to the worker, so that it claims no tasks, and when the service replies again. */
  readonly onService: (isReachable: boolean) => void;
  /** Milliseconds of a monotonic clock; default: of this process. */
  readonly monotonic?: () => number;
}
