import { streamProblem, type EventStream, type ReceiverMonitor } from '../../features/live/index.ts';
import { pingStore, type Metrics, type Service } from '../../features/service/index.ts';
import type { Queries } from '../../platform/postgres/postgres.ts';

/** What metrics and checks depend on. */
interface MonitoredReceiver {
  readonly receiver: string;
  readonly subscribes: boolean;
  /** The place of the events if it is not the store. */
  readonly stream: EventStream | undefined;
}

/** Connects a receiver with the metrics and checks of its service. */
export function receiverMonitor(
  service: Service,
  db: Queries,
  { receiver, subscribes, stream }: MonitoredReceiver,
): ReceiverMonitor {
  const meters = service.metrics && receiverMetrics(service.metrics, receiver);
  let storeProblem: string | undefined = 'the process is starting';
  let subscriptionProblem: string | undefined;
  service.check({
    store: () => storeProblem ?? pingStore(db),
    ...(stream && { stream: () => streamProblem(stream) }),
    ...(subscribes && { subscription: () => subscriptionProblem }),
  });
  return {
    stored: (result, milliseconds) => meters?.stored(result, milliseconds),
    failed: () => meters?.failed(),
    rejected: () => meters?.rejected(),
    turn(turn) {
      service.turned();
      const isStored = !('storeProblem' in turn);
      storeProblem = isStored ? undefined : turn.storeProblem;
      if (isStored) subscriptionProblem = problemOf(turn);
      meters?.turn(isStored && turn.fence !== undefined, isStored && subscriptionProblem === undefined);
    },
    ready: () => void service.started(),
  };
}

function problemOf({
  owner,
  subscriptionId,
  problem,
}: {
  readonly owner: string | undefined;
  readonly subscriptionId: string | undefined;
  readonly problem: string | undefined;
}): string | undefined {
  if (problem !== undefined) return problem;
  if (owner === undefined) return 'no process owns the subscription';
  return subscriptionId === undefined ? 'the subscription does not exist yet' : undefined;
}

function receiverMetrics(metrics: Metrics, receiver: string) {
  const label = { receiver };
  const names = ['receiver'];
  const acknowledged = metrics.counter(
    'ucctl_receiver_events_acknowledged_total',
    'Acknowledged events, including events that were already in the store',
    names,
  );
  const duplicates = metrics.counter(
    'ucctl_receiver_events_duplicate_total',
    'Acknowledged events that were already in the store',
    names,
  );
  const failed = metrics.counter(
    'ucctl_receiver_events_failed_total',
    'Events that the process could not store and did not acknowledge',
    names,
  );
  const rejected = metrics.counter(
    'ucctl_receiver_requests_rejected_total',
    'Requests that were not events of the subscription',
    names,
  );
  const durations = metrics.seconds(
    'ucctl_receiver_ack_duration_seconds',
    'Time from the request to the stored event',
    names,
  );
  const owner = metrics.gauge('ucctl_receiver_owner', 'Whether this process renews the subscription', names);
  const active = metrics.gauge(
    'ucctl_receiver_subscription_ok',
    'Whether a process owns the subscription and its last renewal succeeded',
    names,
  );
  // A series that begins with its first event would hide that event from rates.
  for (const counter of [acknowledged, duplicates, failed, rejected]) counter.inc(label, 0);
  return {
    stored(result: 'new' | 'duplicate', milliseconds: number): void {
      acknowledged.inc(label);
      if (result === 'duplicate') duplicates.inc(label);
      durations.observe(label, milliseconds / 1000);
    },
    failed: () => failed.inc(label),
    rejected: () => rejected.inc(label),
    turn(isOwner: boolean, isActive: boolean): void {
      owner.set(label, isOwner ? 1 : 0);
      active.set(label, isActive ? 1 : 0);
    },
  };
}
