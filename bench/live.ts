import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { startListener } from '../scripts/proofs/listener-process.ts';
import { percentile, resultOf } from './measure.ts';
import type { Result } from './report.ts';
import { scaled } from './scaled.ts';
import { milliseconds, startBareClient, startOwnClient, type SocketClient } from './socket-client.ts';

const rounds = scaled(3, 1);
/** Events per second, and the number of events of a round. */
const loads = [
  { perSecond: 10, count: scaled(100, 10) },
  { perSecond: 500, count: scaled(2000, 100) },
] as const;
/** Percentiles, and milliseconds that ucctl may take longer than a bare receiver. */
const goals = [
  { percent: 50, most: 5 },
  { percent: 99, most: 30 },
] as const;

/** Milliseconds from sending events to their lines on stdout. */
type Receiver = Pick<SocketClient, 'waits' | 'stop'>;

/** The time from the moment at which the service sends an event until the receiver prints its line, compared with a bare receiver. */
export async function live(): Promise<readonly Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-bench-live-'));
  try {
    return [
      ...(await compare('webhook', await startOwnWebhook(folder), await startBareWebhook())),
      ...(await compare(
        'WebSocket',
        await startOwnClient(folder, 'socket', 'pipe'),
        await startBareClient('lines'),
      )),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function compare(transport: string, own: Receiver, bare: Receiver): Promise<readonly Result[]> {
  try {
    for (const receiver of [own, bare]) await receiver.waits(scaled(500, 50), 500);
    const results: Result[] = [];
    for (const { perSecond, count } of loads) {
      const pairs: (readonly [readonly number[], readonly number[]])[] = [];
      for (let round = 0; round < rounds; round += 1)
        pairs.push([await own.waits(count, perSecond), await bare.waits(count, perSecond)]);
      results.push(
        ...goals.map(({ percent, most }) => {
          const at = (waits: readonly number[]): number => percentile(waits, percent / 100);
          const bareWait = resultOf(
            '',
            pairs.map(([, waits]) => at(waits)),
            most,
            'at most',
            '',
          ).value;
          return resultOf(
            `${transport}, event to line at ${perSecond}/s, ${percent}th percentile, over a bare receiver (${bareWait.toFixed(2)} ms)`,
            pairs.map(([ownWaits, bareWaits]) => at(ownWaits) - at(bareWaits)),
            most,
            'at most',
            ' ms',
          );
        }),
      );
    }
    return results;
  } finally {
    await own.stop();
    await bare.stop();
  }
}

async function startOwnWebhook(folder: string): Promise<Receiver> {
  const listener = await startListener(folder, 'pipe');
  return receiverOf(listener.child, listener.url, () => listener.kill());
}

async function startBareWebhook(): Promise<Receiver> {
  const child = spawn(execPath, ['bench/bare-webhook.mjs'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return receiverOf(child, `http://127.0.0.1:${String(port).trim()}`, async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
}

function receiverOf({ stdout }: ChildProcess, url: string, kill: () => Promise<void>): Receiver {
  if (!stdout) throw new Error('bench: no output');
  const found: number[] = [];
  const lines = createInterface(stdout);
  lines.on('line', (line) => {
    const at = milliseconds();
    const sentAt = /"sentAt":"(\d+\.\d+)"/.exec(line)?.[1];
    if (sentAt !== undefined) found.push(at - Number(sentAt));
  });
  let runs = 0;
  return {
    async waits(count, rate) {
      found.length = 0;
      runs += 1;
      const load = JSON.stringify({ url, count, rate, prefix: `run${runs}` });
      const [exit] = (await once(
        spawn(execPath, ['bench/live-load.mjs', load], { stdio: ['ignore', 'ignore', 'inherit'] }),
        'exit',
      )) as [number | null];
      if (exit !== 0) throw new Error('bench: the notifications were not accepted');
      for (const end = milliseconds() + 60_000; found.length < count;) {
        if (milliseconds() > end) throw new Error(`bench: ${found.length} of ${count} events were shown`);
        await delay(1);
      }
      return found.toSorted((a, b) => a - b);
    },
    async stop() {
      await kill();
      lines.close();
    },
  };
}
