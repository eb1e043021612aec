import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { percentile, spread } from './measure.ts';
import type { Result } from './report.ts';
import { scaled } from './scaled.ts';
import { startBareClient, startOwnClient } from './socket-client.ts';

const rounds = scaled(7, 2);
/** Notifications of a round at saturation. */
const burst = scaled(20_000, 1000);
/** Bursts before the memory is measured. */
const warmUps = 2;
/** Notifications of the run whose memory is measured, without those before it. */
const total = scaled(200_000, 2000);
/** Notifications per second of the paced runs. */
const rate = 1000;
const paced = scaled(5000, 500);

/**
 * Notifications through one WebSocket, with every event on disk: the rate and the latency, compared with a bare client in the same
 * run, and the memory.
 */
export async function socket(): Promise<readonly Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-bench-socket-'));
  try {
    return [await saturated(folder), await latency(folder), ...(await memory(folder))];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function saturated(folder: string): Promise<Result> {
  const [own, bare] = [await startOwnClient(folder, 'rate', 'ignore'), await startBareClient('count')];
  const ratios: number[] = [];
  try {
    // The first round warms up.
    for (let round = 0; round <= rounds; round += 1) {
      const ratio = (await own.rate(burst)) / (await bare.rate(burst));
      if (round > 0) ratios.push(ratio);
    }
  } finally {
    await Promise.all([own.stop(), bare.stop()]);
  }
  const { min, median, max, noise } = spread(ratios);
  const name = 'rate with every event on disk, of a bare client';
  return { name, value: median, min, max, noise, goal: 0.3, sense: 'at least', unit: 'x' };
}

async function latency(folder: string): Promise<Result> {
  const [own, bare] = [await startOwnClient(folder, 'latency', 'pipe'), await startBareClient('lines')];
  const ratios: number[] = [];
  let bareWait = 0;
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const ownWait = percentile(await own.waits(paced, rate), 0.99);
      bareWait = percentile(await bare.waits(paced, rate), 0.99);
      if (round > 0) ratios.push(ownWait / bareWait);
    }
  } finally {
    await Promise.all([own.stop(), bare.stop()]);
  }
  const { min, median, max, noise } = spread(ratios);
  const name = `wait at ${rate}/s until the event is shown, 99th percentile, of a bare client (${bareWait.toFixed(2)} ms)`;
  return { name, value: median, min, max, noise, goal: 10, sense: 'at most', unit: 'x' };
}

/**
 * The memory of an idle client after each burst. A single value tells little, because V8 frees memory at long intervals: the
 * value rises and falls by 40 MB. The growth is that of the median, from the first half of the bursts to the second.
 */
async function memory(folder: string): Promise<Result[]> {
  const own = await startOwnClient(folder, 'memory', 'ignore');
  try {
    for (let round = 0; round < warmUps; round += 1) await own.rate(burst);
    let peak = 0;
    const watch = setInterval(() => (peak = Math.max(peak, own.megabytes())), 100);
    const idle: number[] = [];
    for (let sent = 0; sent < total; sent += burst) {
      await own.rate(burst);
      idle.push(own.megabytes());
    }
    clearInterval(watch);
    const half = idle.length / 2;
    const growth = spread(idle.slice(half)).median - spread(idle.slice(0, half)).median;
    const one = { noise: 0, sense: 'at most', unit: ' MB' } as const;
    return [
      {
        name: `memory growth over ${total} events`,
        value: growth,
        min: growth,
        max: growth,
        goal: 10,
        ...one,
      },
      { name: `peak memory over ${total} events`, value: peak, min: peak, max: peak, goal: 200, ...one },
    ];
  } finally {
    await own.stop();
  }
}
