import type { World } from '../world/world.ts';

/** Returns the counters in the text format of Prometheus (version 0.0.4). */
export function prometheusText(world: World): string {
  const lines = [
    ...metric('ucctl_sandbox_requests_total', 'counter', 'Requests answered', requestSamples(world)),
    ...metric(
      'ucctl_sandbox_deliveries_total',
      'counter',
      'Finished notifications by outcome',
      samples(world, 'deliveries', 'state'),
    ),
    ...metric('ucctl_sandbox_timers_total', 'counter', 'Fired timers', samples(world, 'timers', 'kind')),
    ...metric(
      'ucctl_sandbox_failures_total',
      'counter',
      'Internal sandbox errors',
      samples(world, 'failures', 'name'),
    ),
    ...metric('ucctl_sandbox_messages', 'gauge', 'Stored messages', [`{} ${world.messages.count()}`]),
    ...metric('ucctl_sandbox_subscriptions', 'gauge', 'Active subscriptions', [
      `{} ${world.subscriptions.all().length}`,
    ]),
    ...metric('ucctl_sandbox_time_seconds', 'gauge', 'Sandbox time', [`{} ${world.clock.now() / 1000}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function metric(name: string, type: string, help: string, values: readonly string[]): string[] {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...values.map((value) => name + value.replace('{} ', ' ')),
  ];
}

function samples(world: World, name: string, label: string): string[] {
  return [...world.metrics.of(name)].map(([value, count]) => `{${label}="${value}"} ${count}`);
}

function requestSamples(world: World): string[] {
  return [...world.metrics.of('requests')].map(([key, count]) => {
    const [operation, status] = key.split(' ');
    return `{operation="${operation}",status="${status}"} ${count}`;
  });
}
