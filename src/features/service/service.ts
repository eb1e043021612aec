import { ownProcess } from '../../platform/own-process.ts';
import type { Context } from '../../runtime/context.ts';
import type { ServiceOptions } from '../../runtime/service-options.ts';
import { reportOf, type Checks, type Report } from './checks.ts';
import type { Metrics } from './metrics.ts';
import type { Notifier } from './notify.ts';
import type { MetricsServer } from './serve.ts';

/**
 * Milliseconds without a turn of the main loop after which a process counts as stuck. Even a slow store
 * responds sooner.
 */
const stuckMilliseconds = 120_000;
/** Number of reports to the watchdog within the time after which systemd restarts the process. */
const reportsPerWatchdog = 3;

/**
 * A process that is watched by monitoring systems and a service manager. Without `--metrics-port` and
 * systemd, this class does nothing.
 */
export class Service {
  /** The metrics; undefined without `--metrics-port`. */
  readonly metrics: Metrics | undefined;
  readonly #notifier: Notifier | undefined;
  /** Called when the process has started. Its health cannot be requested before. */
  announce: () => void = () => undefined;
  #checks: Checks = { started: () => 'the process is starting' };
  #turnedAt = ownProcess.monotonicMilliseconds();
  #watchdog: NodeJS.Timeout | undefined;
  #stopped: Promise<void> = Promise.resolve();
  #isEnded = false;

  constructor(metrics: Metrics | undefined, notifier: Notifier | undefined) {
    this.metrics = metrics;
    this.#notifier = notifier;
  }

  /** Reports that the main loop works. */
  turned(): void {
    this.#turnedAt = ownProcess.monotonicMilliseconds();
  }

  /** Waits as `ctx.sleep` does, for a main loop: each wait is a turn. */
  sleeperOf(ctx: Context): (milliseconds: number, signal: AbortSignal) => Promise<void> {
    return async (milliseconds, signal) => {
      this.turned();
      await ctx.sleep(milliseconds, signal);
    };
  }

  /** Sets the checks of /readyz. */
  check(checks: Checks): void {
    this.#checks = checks;
  }

  /** Reports to systemd that the process has started and works. */
  async started(): Promise<void> {
    this.announce();
    await this.#notifier?.notify('READY=1');
    const { watchdogMilliseconds } = this.#notifier ?? {};
    if (watchdogMilliseconds === undefined || this.#isEnded) return;
    this.#watchdog = setInterval(() => void this.#feed(), watchdogMilliseconds / reportsPerWatchdog);
    this.#watchdog.unref();
  }

  readonly live = (): Promise<Report> =>
    reportOf({
      loop: () => {
        const seconds = Math.round((ownProcess.monotonicMilliseconds() - this.#turnedAt) / 1000);
        return seconds * 1000 > stuckMilliseconds
          ? `the main loop has been stuck for ${seconds} s`
          : undefined;
      },
    });

  readonly ready = (excluded: readonly string[]): Promise<Report> => reportOf(this.#checks, excluded);

  /** Reports to systemd that the process is stopping. */
  readonly stopping = (): void => {
    this.#checks = { started: () => 'the process is stopping' };
    this.#stopped = this.#notifier?.notify('STOPPING=1') ?? Promise.resolve();
  };

  /** Stops the reports to systemd. */
  async end(): Promise<void> {
    this.#isEnded = true;
    clearInterval(this.#watchdog);
    await this.#stopped;
  }

  async #feed(): Promise<void> {
    if ((await this.live()).status === 'ok') await this.#notifier?.notify('WATCHDOG=1');
  }
}

/** Runs a command as a service: with the requested metrics, health checks and reports to systemd. */
export async function runService(
  ctx: Context,
  { metricsPort, metricsHost }: ServiceOptions,
  work: (service: Service) => Promise<void>,
): Promise<void> {
  const notifier = ctx.env['NOTIFY_SOCKET'] ? (await import('./notify.ts')).notifierOf(ctx) : undefined;
  const metrics =
    metricsPort === undefined ? undefined : new (await import('./metrics.ts')).Metrics(ctx.version);
  const service = new Service(metrics, notifier);
  const server = metrics && (await serveOn(ctx, metricsHost, metricsPort ?? 0, { metrics, service }));
  if (server) service.announce = () => ctx.out.note(`Metrics: ${server.url}/metrics`);
  ctx.signal.addEventListener('abort', service.stopping, { once: true });
  try {
    await work(service);
  } finally {
    ctx.signal.removeEventListener('abort', service.stopping);
    await service.end();
    await server?.close();
  }
}

async function serveOn(
  ctx: Context,
  host: string,
  port: number,
  { metrics, service }: { readonly metrics: Metrics; readonly service: Service },
): Promise<MetricsServer> {
  const { serveMetrics } = await import('./serve.ts');
  const answers = { metrics, live: service.live, ready: service.ready };
  return serveMetrics(host, port, answers, (problem) => ctx.out.warn(problem));
}
