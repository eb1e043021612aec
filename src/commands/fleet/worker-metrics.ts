import { fleetState, type FleetState, type TaskEnd, type TaskKind } from '../../features/fleet/index.ts';
import type { GaugeMetric, Metrics } from '../../features/service/index.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { sessionName } from './session-name.ts';

/** Counts what a worker does. */
export interface WorkerMetrics {
  claimed(kind: TaskKind): void;
  /** No task was claimed, because the rate budget of the sign-in has no request left. */
  limited(kind: TaskKind, profile: string): void;
  ended(end: TaskEnd): void;
}

/** Counts of a worker that its metrics show. */
export interface WorkerCounts {
  /** Tasks that run. */
  readonly running: () => number;
  /** Sign-ins that the worker can no longer use. */
  readonly lostSessions: () => number;
}

/** The gauges of a kind of tasks, with the member of the state that each shows. */
const kindGauges = [
  ['ucctl_fleet_tasks', 'Enrolled tasks', 'tasks'],
  ['ucctl_fleet_tasks_due', 'Tasks that are waiting for a worker', 'due'],
  ['ucctl_fleet_tasks_late', 'Tasks whose last success is more than two intervals ago', 'late'],
  ['ucctl_fleet_tasks_running', 'Tasks that workers are executing', 'running'],
  ['ucctl_fleet_tasks_paused', 'Paused tasks', 'paused'],
  ['ucctl_fleet_tasks_failed', 'Failed tasks, which ucctl does not retry automatically', 'failed'],
  ['ucctl_fleet_oldest_due_seconds', 'Waiting time of the oldest due task', 'oldestDueSeconds'],
] as const;

/** Defines the metrics of a worker. Metrics that begin with ucctl_fleet and ucctl_budget are of the whole fleet. */
export function workerMetrics(metrics: Metrics, db: Postgres, now: WorkerCounts): WorkerMetrics {
  defineFleet(metrics, db);
  const claims = metrics.counter('ucctl_worker_claims_total', 'Claimed tasks', ['task']);
  const attempts = metrics.counter('ucctl_worker_attempts_total', 'Finished attempts by result', [
    'task',
    'result',
  ]);
  const durations = metrics.seconds('ucctl_worker_attempt_duration_seconds', 'Duration of attempts', [
    'task',
  ]);
  const limited = metrics.counter(
    'ucctl_worker_limited_total',
    'Task claims that waited because the rate budget of the session was used up',
    ['task', 'session'],
  );
  const lost = metrics.gauge('ucctl_worker_sessions_lost', 'Sessions that the worker can no longer use');
  const tasks = metrics.gauge('ucctl_worker_tasks_running', 'Tasks that this worker is executing');
  metrics.fromProcess(() => {
    tasks.set(now.running());
    lost.set(now.lostSessions());
  });
  return {
    claimed: (task) => claims.inc({ task }),
    limited: (task, session) => limited.inc({ task, session }),
    ended: ({ task: { kind: task }, result, milliseconds }) => {
      attempts.inc({ task, result });
      durations.observe({ task }, milliseconds / 1000);
    },
  };
}

function defineFleet(metrics: Metrics, db: Postgres): void {
  const ofKind = kindGauges.map(
    ([name, help, member]) => [metrics.gauge(name, help, ['task']), member] as const,
  );
  const runs = metrics.counter('ucctl_fleet_runs_total', 'Successful runs of enrolled tasks', ['task']);
  const fenced = metrics.counter(
    'ucctl_fleet_fenced_total',
    'Discarded replies of stalled workers whose tasks another worker had taken over',
    ['task'],
  );
  const workers = metrics.gauge('ucctl_fleet_workers', 'Workers by state', ['state']);
  const budgets = defineBudgets(metrics);
  metrics.fromStore(async () => {
    for (const metric of [runs, fenced, workers, ...ofKind.map(([gauge]) => gauge)]) metric.reset();
    budgets(undefined);
    const state = await fleetState(db);
    for (const kind of state.kinds) {
      const labels = { task: kind.kind };
      for (const [gauge, member] of ofKind) gauge.set(labels, kind[member]);
      runs.inc(labels, kind.runs);
      fenced.inc(labels, kind.fenced);
    }
    for (const one of ['running', 'draining', 'lost'] as const)
      workers.set({ state: one }, state.workers.filter(({ state: own }) => own === one).length);
    budgets(state.budgets);
  });
}

/** Defines the metrics of rate budgets. @returns a function that sets their values. */
function defineBudgets(metrics: Metrics): (budgets: FleetState['budgets'] | undefined) => void {
  const labels = ['session', 'group'];
  const limit = metrics.gauge(
    'ucctl_budget_limit_requests',
    'Requests that the rate limit allows in a window',
    labels,
  );
  const left = metrics.gauge(
    'ucctl_budget_remaining_requests',
    'Requests that remain in the current window',
    labels,
  );
  const wait = metrics.gauge('ucctl_budget_wait_seconds', 'Time until the next request is allowed', labels);
  const limited = metrics.gauge('ucctl_fleet_budgets_limited', 'Rate budgets that allow no request now');
  const all: readonly GaugeMetric[] = [limit, left, wait];
  return (budgets) => {
    for (const gauge of all) gauge.reset();
    for (const budget of budgets ?? []) {
      const of = { session: sessionName(budget), group: budget.group };
      if (budget.limit !== null) limit.set(of, budget.limit);
      left.set(of, budget.remaining);
      wait.set(of, budget.waitSeconds);
    }
    limited.set((budgets ?? []).filter(({ waitSeconds }) => waitSeconds > 0).length);
  };
}
