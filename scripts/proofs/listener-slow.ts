import { setMaxListeners } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startListener, type ListenerProcess } from './listener-process.ts';
import { postEvent, type Answer } from './post-event.ts';
import { percentile, timeLimit, type Result, type Size } from './result.ts';

interface Plan {
  /** Number of connections that send almost nothing and reconnect when they are closed. */
  readonly slow: number;
  /** Valid notifications per second. */
  readonly rate: number;
  readonly seconds: number;
  /** How long the sender waits for an answer, in milliseconds: the limit of the service. */
  readonly limit: number;
  /** Number of events while the reader of stdout reads nothing. */
  readonly unread: number;
}

const plans: Readonly<Record<Size, Plan>> = {
  full: { slow: 500, rate: 200, seconds: 30, limit: 1000, unread: 200_000 },
  reduced: { slow: 50, rate: 20, seconds: 6, limit: timeLimit('reduced', 1000), unread: 3000 },
};
const mostGrowth = 30;
const senders = 32;

/** Checks that slow connections cost no valid notification, and that a blocked reader costs no memory. */
export async function run(size: Size): Promise<readonly Result[]> {
  const plan = plans[size];
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-listener-slow-'));
  try {
    return [await withSlowConnections(plan, folder), await unread(plan, folder)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function withSlowConnections({ slow, rate, seconds, limit }: Plan, folder: string): Promise<Result> {
  const listener = await startListener(folder, 'ignore');
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const crowd = Array.from({ length: slow }, (_, index) => dawdle(listener.url, index, stop.signal));
  // All slow connections are open before the first valid notification arrives.
  await delay(500);
  const begun = performance.now();
  const good: Promise<Answer>[] = [];
  for (let sent = 0; sent < rate * seconds; sent += 1) {
    const wait = begun + (sent * 1000) / rate - performance.now();
    if (wait > 0) await delay(wait);
    good.push(postEvent(listener.url, `good-${sent}`));
  }
  const answers = await Promise.all(good);
  stop.abort();
  const cuts = (await Promise.all(crowd)).reduce((sum, count) => sum + count, 0);
  await listener.stop();
  const failed = answers.filter(({ status, milliseconds }) => status !== 200 || milliseconds > limit);
  const times = answers.map(({ milliseconds }) => milliseconds);
  const at = (share: number): string => percentile(times, share).toFixed(1);
  return {
    promise: `${slow} slow connections and ${rate} valid notifications per second: no valid notification fails`,
    figure: `${failed.length} of ${answers.length} failed, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms; slow connections closed ${cuts} times`,
    holds: failed.length === 0 && answers.length > 0 && cuts > 0,
  };
}

/**
 * Opens connections in sequence, each of which stops within its headers or sends its body very slowly. Returns how
 * often it was closed.
 */
async function dawdle(address: string, index: number, signal: AbortSignal): Promise<number> {
  const { hostname, port, pathname, host } = new URL(address);
  const head = `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\n`;
  const start = index % 2 === 0 ? head : `${head}Content-Length: 100000\r\n\r\n{`;
  let cuts = 0;
  while (!signal.aborted) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.resume();
    // Not `once` of node:events, which rejects on an error: these connections are expected to be reset.
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(start);
    await drip(socket, closed, index % 2 === 0 ? 'X' : ' ', signal);
    if (!signal.aborted) cuts += 1;
    socket.destroy();
    await closed;
  }
  return cuts;
}

async function drip(
  socket: Socket,
  closed: Promise<unknown>,
  letter: string,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && !socket.destroyed) {
    socket.write(letter);
    await Promise.race([closed, delay(700, undefined, { signal }).catch(() => undefined)]);
  }
}

/** Compares the memory after the first tenth, when everything is loaded, with the memory after the last event. */
async function unread({ unread: events }: Plan, folder: string): Promise<Result> {
  const listener = await startListener(folder, 'pipe');
  await flood(listener, 'warm', events / 10);
  const before = listener.megabytes();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, listener.megabytes());
  }, 100);
  const failed = await flood(listener, 'more', events);
  clearInterval(watch);
  await listener.kill();
  const growth = peak - before;
  return {
    promise: 'a blocked reader of the output causes no growth of memory',
    figure: `${before.toFixed(0)} MB, and ${growth.toFixed(1)} MB more at most over ${events} events; ${failed} not acknowledged`,
    holds: growth < mostGrowth && failed === 0,
  };
}

async function flood({ url }: ListenerProcess, name: string, events: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: senders });
  let next = 0;
  let failed = 0;
  const sender = async (): Promise<void> => {
    while (next < events) {
      next += 1;
      const { status } = await postEvent(url, `${name}-${next}`, agent);
      if (status !== 200) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: senders }, sender));
  agent.destroy();
  return failed;
}
