import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PostgresEventLog } from '../../src/features/live/log/postgres-event-log.ts';
import { connectStore, initializeStore, type Postgres } from '../../src/store/index.ts';
import { Dice } from '../../test/support/dice.ts';
import { startPostgres } from '../../test/support/postgres-cluster.ts';
import { startUcctl, type Started } from '../../test/support/process.ts';
import { createProcessed, processedOf, startProgram, type Processed } from './processing-program.ts';
import { runAll, untilShown, type Result, type Size } from './result.ts';

const lanes = 12;
const leaseSeconds = 1;
const sizes = {
  full: { processes: 3, kills: 200, stalls: 100, controlStalls: 30 },
  reduced: { processes: 2, kills: 1, stalls: 2, controlStalls: 6 },
} as const;

/**
 * Processes of one consumer are killed and suspended beyond their leases while events arrive (npm run proof --
 * consumers). The program behind them stores each event in one transaction with `event_done`, and sometimes fails to
 * answer after its commit. The control stores without `event_done`, and must fail.
 */
export async function run(size: Size = 'full'): Promise<readonly Result[]> {
  const { processes, kills, stalls, controlStalls } = sizes[size === 'full' ? 'full' : 'reduced'];
  return runAll(
    [
      () => campaign({ processes, kills, stalls, isFenced: true }),
      () => untilShown(() => campaign({ processes, kills: 0, stalls: controlStalls, isFenced: false })),
    ],
    size,
  );
}

interface Campaign {
  readonly processes: number;
  readonly kills: number;
  readonly stalls: number;
  readonly isFenced: boolean;
}

async function campaign(wanted: Campaign): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-consumers-'));
  const server = await startPostgres({ settings: { synchronous_commit: 'on' } });
  const store = `${server.url}/postgres`;
  const db = connectStore({ url: store, source: 'the proof', env: {} });
  const running = new Set<Started>();
  try {
    await initializeStore(db, {});
    await createProcessed(db);
    const program = await startProgram(store, wanted.isFenced, 200);
    const start = (more: readonly string[] = []): Started => {
      const words = ['proof', '--from', 'start', '--forward-to', program.url, '--lease', `${leaseSeconds}s`];
      const started = startUcctl(
        ['events', 'consume', ...words, '--attempts', '100', '--store', store, '-o', 'ndjson', ...more],
        { env: { HOME: folder } },
      );
      running.add(started);
      return started;
    };
    const arrival = { isOver: false, count: 0 };
    const arriving = arrive(db, arrival);
    const tally = { kills: 0, stalls: 0 };
    await Promise.all(
      Array.from({ length: wanted.processes }, (_, index) =>
        injectFaults(start, wanted, tally, new Dice(80 + index)),
      ),
    );
    arrival.isOver = true;
    await arriving;
    await finishAll(db, () => start(['--concurrency', '32']), arrival.count);
    const figures = await processedOf(db, 'proof');
    await program.close();
    return resultOf(wanted, tally, figures);
  } finally {
    for (const { child, ended } of running) {
      child.kill('SIGKILL');
      await ended.catch(() => undefined);
    }
    await db.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function resultOf({ isFenced, kills, stalls }: Campaign, tally: Tally, figures: Processed): Result {
  const { events, lost, doubled, disordered, repeated } = figures;
  const counts = `${tally.kills} kills and ${tally.stalls} stalls; ${events} events: ${lost} lost, ${doubled} processed twice`;
  if (!isFenced)
    return {
      promise: 'control, which must fail: a program without event_done processes events twice',
      figure: counts,
      holds: doubled > 0 && events > 0,
    };
  return {
    promise:
      'consumers that are killed or suspended lose no event, and a program with event_done processes no event twice',
    figure: `${counts}, ${disordered} out of order; ${repeated} needed more than one attempt`,
    holds: events > 0 && lost + doubled + disordered === 0 && tally.kills >= kills && tally.stalls >= stalls,
  };
}

interface Tally {
  kills: number;
  stalls: number;
}

/** Restarts a process, and kills or suspends it, until all concurrent calls together have reached the wanted counts. */
async function injectFaults(
  start: () => Started,
  wanted: Pick<Campaign, 'kills' | 'stalls'>,
  tally: Tally,
  dice: Dice,
): Promise<void> {
  let process: Started | undefined;
  while (tally.kills < wanted.kills || tally.stalls < wanted.stalls) {
    if (!process) {
      process = start();
      // The start takes most of the time of a short run, but the kills must occur during deliveries.
      await pause(1500);
    }
    await pause(300 + dice.next() * 1200);
    const isKill = tally.stalls >= wanted.stalls || (tally.kills < wanted.kills && dice.chance(0.6));
    if (isKill) {
      tally.kills += 1;
      process.child.kill('SIGKILL');
      await process.ended;
      process = undefined;
    } else {
      tally.stalls += 1;
      process.child.kill('SIGSTOP');
      await pause(leaseSeconds * 1000 + 300 + dice.next() * 1000);
      process.child.kill('SIGCONT');
    }
  }
  process?.child.kill('SIGTERM');
  await process?.ended;
}

/** Adds events of several extensions until the end. */
async function arrive(db: Postgres, arrival: { isOver: boolean; count: number }): Promise<void> {
  const log = new PostgresEventLog(db);
  while (!arrival.isOver) {
    const extensionId = String(arrival.count % lanes);
    const uuid = `u${arrival.count}`;
    const event = `/restapi/v1.0/account/1/extension/${extensionId}/presence`;
    const raw = JSON.stringify({ uuid, event, timestamp: 't', body: { extensionId } });
    await log.append([{ receiver: 'proof', key: uuid, origin: 'webhook', encrypted: false, raw }]);
    arrival.count += 1;
    await pause(40);
  }
}

/** Processes the remaining events with one more process, which is not killed. */
async function finishAll(db: Postgres, start: () => Started, events: number): Promise<void> {
  const last = start();
  for (;;) {
    const [left] = await db.query<{ open: number; taken: number }>(
      `select (select count(*) from event_delivery) as open,
        (select count(*) from event, event_consumer as c where (event.tx, event.id) <= (c.tx, c.id)) as taken`,
    );
    if (left?.open === 0 && left.taken === events) break;
    await pause(100);
  }
  last.child.kill('SIGTERM');
  await last.ended;
}
