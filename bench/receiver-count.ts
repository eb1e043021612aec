import { availableParallelism } from 'node:os';
import { clusterSeconds } from '../scripts/proofs/cluster-seconds.ts';
import { processorSecondsOf } from '../test/support/processor-seconds.ts';
import { requestsPerSecond } from './children.ts';
import { spread } from './measure.ts';
import { notification, startReceiver, type ReceiverProcess } from './receiver-process.ts';
import type { Outcome } from './report.ts';
import { scaled } from './scaled.ts';

const counts = [1, 2, 4];
const rounds = scaled(5);
const seconds = scaled(2);
/** Connections to each receiver. */
const connections = 32;
/** Processor time of an event that several receivers may need, relative to one receiver. */
const mostGrowth = 1.25;
/** Processors for two receivers, their two senders and the database. */
const neededProcessors = 6;

interface Load {
  /** Events per second. */
  readonly rate: number;
  /** Processor seconds of the receivers and of the database for each event. */
  readonly processor: number;
}

/**
 * 1, 2 and 4 receivers store events in one PostgreSQL store at the same time, at the highest rate.
 * @param data the folder of the PostgreSQL server.
 */
export async function receiverCount(
  folder: string,
  store: string,
  data: string,
): Promise<readonly Outcome[]> {
  const all: ReceiverProcess[] = [];
  try {
    for (let one = 0; one < Math.max(...counts); one += 1)
      all.push(await startReceiver(folder, store, 'store'));
    await load(all, 'warm', data);
    const loads = new Map<number, Load[]>(counts.map((count) => [count, []]));
    for (let round = 0; round < rounds; round += 1)
      for (const [count, found] of loads)
        found.push(await load(all.slice(0, count), `c${count}-${round}`, data));
    const single = loads.get(1) ?? [];
    return counts.slice(1).flatMap((count) => comparisons(count, single, loads.get(count) ?? []));
  } finally {
    await Promise.all(all.map((one) => one.stop()));
  }
}

async function load(receivers: readonly ReceiverProcess[], prefix: string, data: string): Promise<Load> {
  const used = (): number =>
    receivers.reduce((sum, { pid }) => sum + processorSecondsOf(pid), clusterSeconds(data));
  const before = used();
  const rates = await Promise.all(
    receivers.map(({ url, pid }) =>
      requestsPerSecond({
        url,
        method: 'POST',
        body: notification(`${prefix}-${pid}`),
        connections,
        seconds,
      }),
    ),
  );
  const rate = rates.reduce((sum, one) => sum + one, 0);
  return { rate, processor: (used() - before) / (rate * seconds) };
}

function comparisons(count: number, single: readonly Load[], several: readonly Load[]): readonly Outcome[] {
  const ratios = (of: (load: Load) => number) =>
    spread(several.map((load, round) => of(load) / of(single[round] ?? load)));
  const each = (loads: readonly Load[]): string =>
    (spread(loads.map(({ processor }) => processor)).median * 1e6).toFixed(0);
  const processor = ratios((load) => load.processor);
  const own: Outcome = {
    name: `processor time of an event with ${count} receivers (${each(several)} us), of that with one (${each(single)} us)`,
    value: processor.median,
    ...processor,
    goal: mostGrowth,
    sense: 'at most',
    unit: 'x',
  };
  return count === 2 ? [own, speedOf(ratios(({ rate }) => rate))] : [own];
}

/** Receivers share the processors of this machine with the senders and the database, so few processors show nothing. */
function speedOf(ratio: ReturnType<typeof spread>): Outcome {
  const name = 'speed of 2 receivers, of one';
  const processors = availableParallelism();
  if (processors < neededProcessors)
    return {
      name,
      skipped: `not shown, because senders, database and receivers share ${processors} processors; measured: ${ratio.median.toFixed(2)}x`,
    };
  return { name, value: ratio.median, ...ratio, goal: 1.7, sense: 'at least', unit: 'x' };
}
