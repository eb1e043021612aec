import type { ConsumeEnd } from '../../features/live/index.ts';
import type { Metrics } from '../../features/service/index.ts';
import type { ConsumerStatus } from '../../store/event-log.ts';

/** The state of a consumer in the store, with its lag. */
export type ConsumerState = Pick<ConsumerStatus, 'behind' | 'pending' | 'claimed' | 'dead'> & {
  readonly lagSeconds: number;
};

/**
 * Defines the metrics of a consumer.
 * @param read reads the state of the consumer, which all its processes share.
 * @returns a function that counts an attempt.
 */
export function consumerMetrics(
  metrics: Metrics,
  consumer: string,
  read: () => Promise<ConsumerState | undefined>,
): (end: ConsumeEnd) => void {
  const label = { consumer };
  const names = ['consumer'];
  const waiting = metrics.gauge(
    'ucctl_consumer_events_waiting',
    'Events that are waiting for a process',
    names,
  );
  const running = metrics.gauge('ucctl_consumer_events_running', 'Events that processes have claimed', names);
  const dead = metrics.gauge('ucctl_consumer_events_dead', 'Events that ucctl no longer retries', names);
  const lag = metrics.gauge(
    'ucctl_consumer_lag_seconds',
    'Age of the oldest event that is not finished',
    names,
  );
  const attempts = metrics.counter('ucctl_consumer_attempts_total', 'Finished attempts by result', [
    'consumer',
    'result',
  ]);
  const durations = metrics.seconds('ucctl_consumer_attempt_duration_seconds', 'Duration of attempts', names);
  for (const result of ['done', 'skipped', 'retry', 'dead', 'taken', 'released'] as const)
    attempts.inc({ consumer, result }, 0);
  metrics.fromStore(async () => {
    for (const gauge of [waiting, running, dead, lag]) gauge.reset();
    const state = await read();
    if (!state) return;
    waiting.set(label, state.behind + state.pending - state.claimed);
    running.set(label, state.claimed);
    dead.set(label, state.dead);
    lag.set(label, state.lagSeconds);
  });
  return ({ result, milliseconds }) => {
    attempts.inc({ consumer, result });
    durations.observe(label, milliseconds / 1000);
  };
}
