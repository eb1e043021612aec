import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { text } from 'node:stream/consumers';
import { startListener } from '../scripts/proofs/listener-process.ts';
import { fillLargeOffice } from '../test/support/large-office.ts';
import { startServer } from './children.ts';
import { startSandboxProcess } from './sandbox-process.ts';
import { startMediaServer, timeUcctl, type Timed } from './timed.ts';

/** Does the same work at a given size; its preparation is not measured. */
export interface Subject {
  /** The unit of the size. */
  readonly name: string;
  readonly work: string;
  /** The smallest of the three sizes. */
  readonly size: number;
  /** Memory must not grow with the work, except for buffers. */
  readonly isStream: boolean;
  readonly run: (folder: string, size: number) => Promise<Timed>;
}

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

/** The first sync of one mailbox. */
export const messages: Subject = {
  name: 'messages',
  work: 'sync',
  size: 10_000,
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

/** Counts all calls of a log. */
export const calls: Subject = {
  name: 'calls',
  work: 'calllog stats',
  // The command stores the calls of one day in memory. The calls start one per second, so the middle size covers more than a day.
  size: 20_000,
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

/** Sends notifications as fast as they are acknowledged. Each notification is on disk before its acknowledgement. */
export const events: Subject = {
  name: 'events',
  work: 'webhook listen',
  size: 300,
  isStream: true,
  run: acknowledged,
};

async function acknowledged(folder: string, size: number): Promise<Timed> {
  const listener = await startListener(folder, 'ignore');
  try {
    const load = {
      url: listener.url,
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
    return { seconds, megabytes: peakOf(listener.child.pid) };
  } finally {
    await listener.stop();
  }
}

/** Body of a notification, as large as the notifications of the service. */
function notification(): string {
  const event = '/restapi/v1.0/account/1/extension/2/message-store';
  return JSON.stringify({
    uuid: 'scale-@COUNTER@@@@',
    event,
    timestamp: 't',
    body: { text: 'x'.repeat(1380) },
  });
}

/** Peak memory in MB that the kernel reports. */
function peakOf(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
