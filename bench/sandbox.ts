import { resultOf } from './measure.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requestsPerSecond, startServer } from './children.ts';
import type { Result } from './report.ts';
import { scale, scaled } from './scaled.ts';
import { startSandboxProcess, type SandboxProcess } from './sandbox-process.ts';

const rounds = scaled(5, 1);
const loadSeconds = Math.max(0.3, 2 * scale);
/** Seconds of warm-up load. */
const warmUp = 0.5;
const connections = 64;
/** Webhook subscriptions that receive the same change. */
const subscribers = scaled(10_000, 200);
/** Subscriptions that are created concurrently. */
const atOnce = 32;
/** Seconds in a minute. */
const notificationsGoal = 10_000;

/** Throughput of the sandbox, compared with a bare server that answers the same bytes in the same run. */
export async function sandbox(): Promise<readonly Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-bench-db-'));
  const database = join(folder, 'bench.db');
  try {
    const empty = (round: number) => ['--db', join(folder, `empty-${round}.db`)];
    const large = ['--db', join(folder, 'enterprise.db'), '--fixture', 'enterprise'];
    // The database is created once, and later starts open it.
    const first = await startSandboxProcess(large);
    await first.stop();
    const made = [first.readyAfterMilliseconds];
    const starts = [
      resultOf('start to ready, enterprise database made', made, 10_000, 'at most', ' ms'),
      await startTimes('start to ready, empty database', empty, 400),
      await startTimes('start to ready, enterprise database', () => large, 1000),
    ];
    const service = await startSandboxProcess(['--db', database, '--rate-limits', 'off']);
    try {
      return [...starts, await presence(service), await sms(service), await notifications(service)];
    } finally {
      await service.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function startTimes(
  name: string,
  args: (round: number) => readonly string[],
  goal: number,
): Promise<Result> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const service = await startSandboxProcess(args(round));
    times.push(service.readyAfterMilliseconds);
    await service.stop();
  }
  return resultOf(name, times, goal, 'at most', ' ms');
}

async function presence(service: SandboxProcess): Promise<Result> {
  const url = `${service.url}/restapi/v1.0/account/~/extension/~/presence`;
  const headers = { authorization: `Bearer ${service.token}` };
  const reply = await fetch(url, { headers });
  const bytes = { body: await reply.text(), headers: { 'content-type': reply.headers.get('content-type') } };
  const bare = await startServer('bare-server.mjs', JSON.stringify(bytes));
  const load = { method: 'GET', headers, connections: connections, seconds: loadSeconds } as const;
  try {
    const ratios: number[] = [];
    await requestsPerSecond({ ...load, url, seconds: warmUp });
    await requestsPerSecond({ ...load, url: bare.url, seconds: warmUp });
    for (let round = 0; round < rounds; round += 1) {
      const own = await requestsPerSecond({ ...load, url });
      ratios.push(own / (await requestsPerSecond({ ...load, url: bare.url })));
    }
    return resultOf('presence GET, of a bare server', ratios, 0.2, 'at least', 'x');
  } finally {
    await bare.stop();
  }
}

async function sms(service: SandboxProcess): Promise<Result> {
  const rates: number[] = [];
  await requestsPerSecond(smsLoad(service, warmUp));
  for (let round = 0; round < rounds; round += 1)
    rates.push(await requestsPerSecond(smsLoad(service, loadSeconds)));
  return resultOf('sms POST, durable', rates, 2000, 'at least', '/s');
}

function smsLoad(service: SandboxProcess, seconds: number) {
  return {
    url: `${service.url}/restapi/v1.0/account/~/extension/~/sms`,
    method: 'POST',
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      from: { phoneNumber: service.ready.users.length > 0 ? '+16505550110' : '' },
      to: [{ phoneNumber: '+14155550123' }],
      text: 'A text of the benchmark',
    }),
    connections: connections,
    seconds,
  } as const;
}

/**
 * Creates as many subscriptions as there are subscribers, each with its own address; one change of a presence
 * notifies all.
 */
async function notifications(service: SandboxProcess): Promise<Result> {
  const webhook = await startServer('webhook-server.mjs');
  const headers = { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' };
  const ask = async (method: string, path: string, body: object) => {
    const reply = await fetch(service.url + path, { method, headers, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`bench: ${path}: ${await reply.text()}`);
    await reply.arrayBuffer();
  };
  const presence = '/restapi/v1.0/account/~/extension/~/presence';
  const subscribe = (count: number) =>
    ask('POST', '/restapi/v1.0/subscription', {
      eventFilters: [presence],
      deliveryMode: { transportType: 'WebHook', address: `${webhook.url}/${count}` },
    });
  try {
    // The speed of the receiving process is not part of the measurement.
    const settings = { subscriptionsPerUser: subscribers, webhookTimeoutMilliseconds: 30_000 };
    await ask('PATCH', '/sandbox/v1/settings', settings);
    for (let first = 0; first < subscribers; first += atOnce) {
      const count = Math.min(atOnce, subscribers - first);
      await Promise.all(Array.from({ length: count }, (_, index) => subscribe(first + index)));
    }
    const before = await received(webhook.url);
    const start = performance.now();
    await ask('PUT', presence, { userStatus: 'Busy' });
    while ((await received(webhook.url)) - before < subscribers && performance.now() - start < 60_000) {
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
    }
    const minutes = (performance.now() - start) / 60_000;
    const rate = ((await received(webhook.url)) - before) / minutes;
    return resultOf('notifications delivered', [rate], notificationsGoal, 'at least', '/min');
  } finally {
    await webhook.stop();
  }
}

async function received(url: string): Promise<number> {
  return Number(await (await fetch(url)).text());
}
