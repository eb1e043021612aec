import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { ownProcess } from '../../platform/own-process.ts';
import { withinTime } from './within-time.ts';

/** A number that only grows. */
type CounterMetric = Counter;
/** A number that grows and shrinks. */
export type GaugeMetric = Gauge;
/** A distribution of durations in seconds. */
type DurationMetric = Histogram;

/** Milliseconds for reading from the store. Prometheus waits 10 s for a reply by default. */
const mostMilliseconds = 8000;
/** Upper bounds of the buckets in seconds, from a durable write to a slow request. */
const durationBuckets = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** The metrics of this process. Names and units follow the conventions of Prometheus. */
export class Metrics {
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;
  readonly #registry = new Registry();
  readonly #collectors: (() => Promise<void>)[] = [];
  readonly #readers: (() => void)[] = [];
  readonly #storeUp: Gauge;
  #collecting: Promise<void> | undefined;

  constructor(version: string) {
    this.gauge('ucctl_build_info', 'Version of ucctl', ['version']).set({ version }, 1);
    const uptime = this.gauge('ucctl_uptime_seconds', 'Seconds since the process started');
    const memory = this.gauge('process_resident_memory_bytes', 'Resident memory size in bytes');
    const processor = this.counter(
      'process_cpu_seconds_total',
      'Total user and system CPU time spent in seconds',
    );
    this.fromProcess(() => {
      const { uptimeSeconds, residentBytes, processorSeconds } = ownProcess.usage();
      uptime.set(uptimeSeconds);
      memory.set(residentBytes);
      processor.reset();
      processor.inc(processorSeconds);
    });
    this.#storeUp = this.gauge('ucctl_store_up', 'Whether the store answered this request for metrics');
  }

  /** Adds a counter. By convention, its name ends with `_total`. */
  counter(name: string, help: string, labelNames: readonly string[] = []): CounterMetric {
    return new Counter({ name, help, labelNames: [...labelNames], registers: [this.#registry] });
  }

  gauge(name: string, help: string, labelNames: readonly string[] = []): GaugeMetric {
    return new Gauge({ name, help, labelNames: [...labelNames], registers: [this.#registry] });
  }

  /** Adds a histogram of seconds. */
  seconds(name: string, help: string, labelNames: readonly string[] = []): DurationMetric {
    return new Histogram({
      name,
      help,
      labelNames: [...labelNames],
      buckets: durationBuckets,
      registers: [this.#registry],
    });
  }

  /** Reads values of this process before each reply. */
  fromProcess(read: () => void): void {
    this.#readers.push(read);
  }

  /** Reads values from the store before each reply. If the read fails, `ucctl_store_up` is 0. */
  fromStore(collect: () => Promise<void>): void {
    this.#collectors.push(collect);
  }

  /** Returns all metrics as text. Concurrent requests read the store only once. */
  async text(): Promise<string> {
    for (const read of this.#readers) read();
    this.#collecting ??= this.#collect().finally(() => {
      this.#collecting = undefined;
    });
    await this.#collecting;
    return this.#registry.metrics();
  }

  async #collect(): Promise<void> {
    const problem = await withinTime(mostMilliseconds, async () => {
      await Promise.all(this.#collectors.map((collect) => collect()));
    });
    this.#storeUp.set(problem === undefined ? 1 : 0);
  }
}
