import { eventually } from './eventually.ts';

/** A running service with `--metrics-port`. */
export interface Monitored {
  /** The metrics by name with labels, as Prometheus reads them. */
  metrics(): Promise<ReadonlyMap<string, number>>;
  text(path: string): Promise<{ readonly status: number; readonly type: string; readonly body: string }>;
}

/** Collects the messages of a service, and finds the address of its metrics in them. */
export class MetricsAddress {
  readonly #texts: string[] = [];

  readonly onStderr = (text: string): void => {
    this.#texts.push(text);
  };

  /** Waits until the service has announced its address. */
  async monitored(): Promise<Monitored> {
    const base = await eventually(() => {
      const found = /http:\/\/[^\s"]+(?=\/metrics)/.exec(this.#texts.join(''))?.[0];
      if (found === undefined) throw new Error(`no address of metrics in: ${this.#texts.join('')}`);
      return found;
    });
    const text = async (path: string) => {
      const response = await fetch(base + path);
      return {
        status: response.status,
        type: response.headers.get('content-type') ?? '',
        body: await response.text(),
      };
    };
    return { text, metrics: async () => samplesOf((await text('/metrics')).body) };
  }
}

/** Reads the text format 0.0.4. @throws for a line that is neither a comment nor a sample. */
function samplesOf(text: string): ReadonlyMap<string, number> {
  const samples = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const parts = /^([a-z_:][\w:]*(?:\{.*\})?) (\S+)$/i.exec(line);
    if (!parts) throw new Error(`not a sample: ${line}`);
    samples.set(parts[1] ?? '', Number(parts[2]));
  }
  return samples;
}
