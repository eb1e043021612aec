import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from './machine.ts';
import { skippedNameOf } from './peers.ts';
import type { Limit, Result, Skipped } from './report.ts';

/** Values without a goal that a benchmark records for plots and tables. */
export type Note = Point | Series | Profile;

/** One size of a subject of `scale`. */
export interface Point {
  readonly kind: 'point';
  /** `agents`, `messages`, `calls`, `events`. */
  readonly subject: string;
  /** The operation that is done with this many items. */
  readonly work: string;
  readonly size: number;
  /** One value for each round. */
  readonly seconds: readonly number[];
  readonly megabytes: readonly number[];
}

/** Memory of one process over time. */
export interface Series {
  readonly kind: 'series';
  readonly name: string;
  /** Seconds since the start, and MB. */
  readonly samples: readonly (readonly [seconds: number, megabytes: number])[];
}

/** Time of a command by part. */
export interface Profile {
  readonly kind: 'profile';
  readonly command: string;
  /** Milliseconds in total. */
  readonly total: number;
  readonly parts: readonly { readonly part: string; readonly milliseconds: number }[];
}

interface Header {
  readonly benchmark: string;
  /** Start of the run, ISO 8601. */
  readonly run: string;
  readonly machine: Machine;
  /** 1 for the sizes for which the goals are defined. */
  readonly scale: number;
}
export type Line = Header &
  (
    | ({ readonly kind: 'result' } & Result)
    | ({ readonly kind: 'limit' } & Limit)
    | ({ readonly kind: 'skipped' } & Skipped)
    | Note
  );
export type LineBody = Line extends infer L ? (L extends Line ? Omit<L, keyof Header> : never) : never;

const folder = 'bench/results';

/** The file of results for a day and a machine. Runs at a reduced size have a file that is not in the repository. */
export function resultsFile({ machine, run, scale }: Omit<Header, 'benchmark'>): string {
  const { cores, memoryGiB, node } = machine;
  const name = `${run.slice(0, 10)}-${cores}cores-${memoryGiB}gib-node${node.split('.')[0]}.jsonl`;
  return join(folder, scale === 1 ? name : `reduced-${name}`);
}

export function appendLines(file: string, lines: readonly Line[]): void {
  mkdirSync(folder, { recursive: true });
  appendFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** The files of full runs, the oldest first. */
export function fullRunFiles(): readonly string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => /^\d.*\.jsonl$/.test(name));
  return names.toSorted().map((name) => join(folder, name));
}

/** The lines of the latest run of each benchmark. */
export function readLines(files: readonly string[]): readonly Line[] {
  return lastRuns(
    files
      .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
      .filter((text) => text !== '')
      .map((text) => JSON.parse(text) as Line),
  );
}

/**
 * Results that later runs of the same benchmark did not replace. For a comparison that the last run skipped, these are
 * the results of the last run that measured it.
 */
export function lastRuns(lines: readonly Line[]): readonly Line[] {
  const last = new Map(lines.map(({ benchmark, run }) => [benchmark, run]));
  return lines
    .filter(({ benchmark, run }) => last.get(benchmark) === run)
    .flatMap((line) => (line.kind === 'skipped' ? measuredBefore(lines, line) : [line]));
}

function measuredBefore(lines: readonly Line[], skipped: Line & Skipped): readonly Line[] {
  const measured = lines.filter(
    (line) =>
      line.benchmark === skipped.benchmark &&
      line.kind === 'result' &&
      skippedNameOf(line.name) === skipped.name,
  );
  const run = measured.at(-1)?.run;
  return run === undefined ? [skipped] : measured.filter((line) => line.run === run);
}
