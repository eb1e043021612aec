import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fillLargeOffice } from '../test/support/large-office.ts';
import { startServer } from './children.ts';
import { cleanEnvironment } from './measure.ts';
import { startSandboxProcess } from './sandbox-process.ts';
import type { Subject } from './scale.ts';
import { startMediaServer, timeUcctl, type Timed } from './timed.ts';

const agentsPerQueue = 50;

/** Each agent is planned into one queue. */
export const agents: Subject = {
  name: 'agents',
  work: 'queue plan',
  size: 100,
  isStream: false,
  async run(folder, size) {
    const database = join(folder, 'office.db');
    const office = fillLargeOffice(database, { agents: size, queues: Math.max(1, size / agentsPerQueue) });
    const list = join(folder, 'list.csv');
    const lines = office.agents.map(({ number }, at) => {
      const queue = office.queues[Math.floor(at / agentsPerQueue)] ?? office.queues[0];
      return `${queue?.number},${number},add`;
    });
    writeFileSync(list, `queue,extension,action\n${lines.join('\n')}\n`);
    const sandbox = await startSandboxProcess(['--db', database, '--rate-limits', 'off']);
    try {
      return timeUcctl(folder, sandbox.url, ['queue', 'plan', '-f', list, '-o', 'json'], sandbox.token);
    } finally {
      await sandbox.stop();
    }
  },
};

/** One mailbox, copied for the first time. */
export const messages: Subject = {
  name: 'messages',
  work: 'sync',
  size: 2000,
  isStream: true,
  async run(folder, size) {
    const server = await startServer('mailbox-server.mjs', String(size));
    try {
      const args = ['sync', '--database', join(folder, 'copy.sqlite'), '--timeout', '600', '-q'];
      return timeUcctl(folder, server.url, args);
    } finally {
      await server.stop();
    }
  },
};

/** All calls of a log, counted. */
export const calls: Subject = {
  name: 'calls',
  work: 'calllog stats',
  size: 2000,
  isStream: true,
  async run(folder, size) {
    const { url, child } = await startMediaServer(size);
    try {
      return timeUcctl(folder, url, ['calllog', 'stats', '--since', '2025-01-01', '-o', 'json']);
    } finally {
      child.kill();
      await once(child, 'exit');
    }
  },
};

/** As many notifications as fast as they are acknowledged, each on disk before. */
export const events: Subject = {
  name: 'events',
  work: 'webhook listen',
  size: 300,
  isStream: true,
  run: acknowledged,
};

async function acknowledged(folder: string, size: number): Promise<Timed> {
  const ready = join(folder, 'ready.json');
  const args = ['webhook', 'listen', '--no-subscribe', '--ready-file', ready, '-o', 'ndjson', '-q'];
  const child = spawn(execPath, ['bin/ucctl.cjs', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: cleanEnvironment({
      HOME: folder,
      UCCTL_STATE_DIR: folder,
      UCCTL_CONFIG_DIR: folder,
      UCCTL_BASE_URL: 'http://127.0.0.1:9',
      UCCTL_TOKEN: 'unused',
    }),
  });
  const exited = once(child, 'exit');
  try {
    const load = {
      url: await urlIn(ready),
      method: 'POST',
      connections: 32,
      count: size,
      body: notification(),
    };
    const sender = spawn(execPath, ['bench/load.mjs', JSON.stringify(load)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const { seconds, statuses } = JSON.parse(await text(sender.stdout)) as {
      readonly seconds: number;
      readonly statuses: Readonly<Record<string, number>>;
    };
    if (statuses['200'] !== size) throw new Error(`bench: the listener answered ${JSON.stringify(statuses)}`);
    return { seconds, megabytes: peakOf(child.pid) };
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
}

/** As large as those of the service. */
function notification(): string {
  const event = '/restapi/v1.0/account/1/extension/2/message-store';
  return JSON.stringify({
    uuid: 'scale-@COUNTER@@@@',
    event,
    timestamp: 't',
    body: { text: 'x'.repeat(1380) },
  });
}

/** MB, as the kernel counted it. */
function peakOf(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

async function urlIn(file: string): Promise<string> {
  for (let tries = 0; tries < 2000; tries += 1) {
    try {
      return (JSON.parse(readFileSync(file, 'utf8')) as { readonly url: string }).url;
    } catch {
      await delay(10);
    }
  }
  throw new Error('bench: the listener did not become ready');
}
