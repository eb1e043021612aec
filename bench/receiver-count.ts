import { clusterSeconds } from '../scripts/proofs/cluster-seconds.ts';
import { processorSecondsOf } from '../test/support/processor-seconds.ts';
import { requestsPerSecond } from './children.ts';
import { notification, startReceiver, type ReceiverProcess } from './receiver-process.ts';
import type { Outcome } from './report.ts';
import { scaled } from './scaled.ts';
import { counts, scaling, type SharedWork } from './scaling.ts';

const rounds = scaled(5);
const seconds = scaled(2);
/** Connections to each receiver. */
const connections = 32;

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
    return await scaling({
      rounds,
      names: { processes: 'receivers', item: 'an event' },
      shown: (middle) => `${(middle * 1e6).toFixed(0)} us`,
      goal: 1.7,
      sharers: 'senders, database and receivers',
      measure: (count, round) => load(all.slice(0, count), `c${count}-${round}`, data),
    });
  } finally {
    await Promise.all(all.map((one) => one.stop()));
  }
}

/** Rate and processor time of an event, at the highest rate. */
async function load(
  receivers: readonly ReceiverProcess[],
  prefix: string,
  data: string,
): Promise<SharedWork> {
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
