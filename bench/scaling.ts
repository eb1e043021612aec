import { availableParallelism } from 'node:os';
import { spread, type Spread } from './measure.ts';
import type { Outcome } from './report.ts';

/** Numbers of processes that share one store, for which a benchmark measures the same work. */
export const counts = [1, 2, 4] as const;

/** Processor time of the same work that several processes may need, relative to one process. */
const mostGrowth = 1.25;
/** Processors for two processes, the programs that feed them and the database. */
const neededProcessors = 6;

/** The work of one round. */
export interface SharedWork {
  /** Results in a second, in any unit. */
  readonly rate: number;
  /** Processor seconds of the processes and of the database for one item. */
  readonly processor: number;
}

interface Scaling {
  readonly rounds: number;
  /** The processes and one item of their work, as in "processor time of a mailbox with 2 workers". */
  readonly names: { readonly processes: string; readonly item: string };
  /** Processor time of one item for people, with its unit, as in `12 us`. */
  readonly shown: (middle: number) => string;
  /** The speed of two processes, relative to one, that is required. */
  readonly goal: number;
  /** Everything that shares the processors of this machine, as in "sandbox, database and workers". */
  readonly sharers: string;
  readonly measure: (count: number, round: number) => Promise<SharedWork>;
}

/**
 * Measures the work of 1, 2 and 4 processes in turn, and compares the processor time and the speed of several
 * processes with those of one.
 */
export async function scaling(settings: Scaling): Promise<readonly Outcome[]> {
  const found = new Map<number, SharedWork[]>(counts.map((count) => [count, []]));
  for (let round = 0; round < settings.rounds; round += 1)
    for (const [count, works] of found) works.push(await settings.measure(count, round));
  const single = found.get(1) ?? [];
  return counts.slice(1).flatMap((count) => comparisons(settings, count, single, found.get(count) ?? []));
}

function comparisons(
  settings: Scaling,
  count: number,
  single: readonly SharedWork[],
  several: readonly SharedWork[],
): readonly Outcome[] {
  const { names, shown } = settings;
  const ratios = (of: (work: SharedWork) => number): Spread =>
    spread(several.map((work, round) => of(work) / of(single[round] ?? work)));
  const each = (works: readonly SharedWork[]): string =>
    shown(spread(works.map(({ processor }) => processor)).median);
  const processor = ratios((work) => work.processor);
  const own: Outcome = {
    name: `processor time of ${names.item} with ${count} ${names.processes} (${each(several)}), of that with one (${each(single)})`,
    value: processor.median,
    ...processor,
    goal: mostGrowth,
    sense: 'at most',
    unit: 'x',
  };
  return count === 2
    ? [
        own,
        speedOf(
          settings,
          ratios(({ rate }) => rate),
        ),
      ]
    : [own];
}

/** With few processors, the speed shows nothing, because all programs share them. */
function speedOf({ names, goal, sharers }: Scaling, ratio: Spread): Outcome {
  const name = `speed of 2 ${names.processes}, of one`;
  const processors = availableParallelism();
  if (processors < neededProcessors)
    return {
      name,
      skipped: `not shown, because ${sharers} share ${processors} processors; measured: ${ratio.median.toFixed(2)}x`,
    };
  return { name, value: ratio.median, ...ratio, goal, sense: 'at least', unit: 'x' };
}
