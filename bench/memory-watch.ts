import { readFileSync } from 'node:fs';
import { spread } from './measure.ts';
import type { Series } from './results.ts';

const everyMilliseconds = 1000;

interface Watched {
  readonly name: string;
  readonly pid: () => number | undefined;
  readonly samples: (readonly [seconds: number, megabytes: number])[];
}

/** Memory of processes, sampled once a second. */
export class MemoryWatch {
  readonly #watched: Watched[] = [];
  readonly #begin = performance.now();
  readonly #timer = setInterval(() => this.#sample(), everyMilliseconds);

  watch(name: string, pid: () => number | undefined): void {
    this.#watched.push({ name, pid, samples: [] });
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  series(): readonly Series[] {
    return this.#watched.map(({ name, samples }) => ({ kind: 'series', name, samples }));
  }

  /** Ratio of the median of the last quarter to that of the second; the start-up is over by then. */
  growth(): readonly { readonly name: string; readonly ratio: number }[] {
    return this.#watched.map(({ name, samples }) => {
      const part = (from: number, to: number): number =>
        spread(
          samples
            .slice(Math.floor(samples.length * from), Math.ceil(samples.length * to))
            .map(([, megabytes]) => megabytes),
        ).median;
      return { name, ratio: part(0.75, 1) / part(0.25, 0.5) };
    });
  }

  #sample(): void {
    const at = Number(((performance.now() - this.#begin) / 1000).toFixed(1));
    for (const { pid, samples } of this.#watched) {
      const megabytes = residentMegabytes(pid());
      if (megabytes !== undefined) samples.push([at, megabytes]);
    }
  }
}

function residentMegabytes(pid: number | undefined): number | undefined {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 102.4) / 10;
  } catch {
    // The process has ended, so its memory cannot be read.
    return undefined;
  }
}
