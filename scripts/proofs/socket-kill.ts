import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { lendToRuns } from '../../test/support/compiled-code.ts';
import { MisbehavingService } from '../../test/foreign/web-socket/service.ts';
import type { Result, Size } from './result.ts';

/** Milliseconds of load before the n-th fault; short and long times alternate, so that faults hit every phase. */
const loadMilliseconds = (round: number): number => 60 + ((round * 37) % 240);
/** Milliseconds between two events. */
const interval = 5;
const readyMilliseconds = 60_000;

/** Kills the listener and cuts its WebSocket under load: every event of the service is shown once or recovered. */
export async function run(size: Size): Promise<readonly Result[]> {
  const faults = size === 'full' ? 50 : 3;
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-socket-kill-'));
  const out = openSync(join(folder, 'shown.ndjson'), 'a');
  const service = new MisbehavingService({ name: 'none', tokens: Infinity }, () => Date.now());
  const origin = await service.listen();
  const stop = { now: false };
  let listener = await startListener(folder, origin, out);
  const load = publish(service, stop);
  try {
    for (let round = 0; round < faults; round += 1) {
      await delay(loadMilliseconds(round));
      await listener.end('SIGKILL');
      listener = await startListener(folder, origin, out);
      await delay(loadMilliseconds(round));
      await cut(service);
    }
    stop.now = true;
    await load;
    const shown = await allShown(folder, service.messageIds);
    await listener.end('SIGTERM');
    return results(shown, service, faults);
  } finally {
    stop.now = true;
    await listener.end('SIGKILL');
    await service.close();
    closeSync(out);
    rmSync(folder, { recursive: true, force: true });
  }
}

function results(
  shown: ReadonlyMap<string, number>,
  service: MisbehavingService,
  faults: number,
): readonly Result[] {
  const ids = service.messageIds;
  const unseen = ids.filter((id) => !shown.has(id)).length;
  const twice = ids.filter((id) => (shown.get(id) ?? 0) > 1).length;
  const { wstokens, reused } = service;
  return [
    {
      promise: 'every event of the service is shown or recovered',
      figure: `${unseen} not shown of ${ids.length} events over ${faults} kills and ${faults} cuts`,
      holds: unseen === 0 && ids.length > 0,
    },
    { promise: 'every event is shown once', figure: `${twice} shown twice`, holds: twice === 0 },
    {
      promise: 'no token is used twice, and there is no busy loop',
      figure: `${wstokens} token requests, ${reused.length} tokens used twice`,
      holds: reused.length === 0 && wstokens <= 4 * faults + 4,
    },
  ];
}

/** Cuts the connections and waits for the next one. */
async function cut(service: MisbehavingService): Promise<void> {
  const before = service.connections;
  service.cut();
  for (const until = performance.now() + readyMilliseconds; service.connections === before; await delay(10))
    if (performance.now() > until) throw new Error('the listener did not connect again');
}

async function publish(service: MisbehavingService, stop: { readonly now: boolean }): Promise<void> {
  while (!stop.now) {
    service.publish();
    await delay(interval);
  }
}

let started = 0;

async function startListener(folder: string, origin: string, stdout: number) {
  started += 1;
  const ready = join(folder, `ready-${started}.json`);
  const words = [
    'webhook',
    'listen',
    '--transport',
    'websocket',
    '--ready-file',
    ready,
    '-o',
    'ndjson',
    '-q',
  ];
  const environment = {
    PATH: env['PATH'] ?? '',
    HOME: folder,
    UCCTL_STATE_DIR: folder,
    UCCTL_CONFIG_DIR: folder,
    UCCTL_BASE_URL: origin,
    UCCTL_TOKEN: 'token-of-the-proof',
    UCCTL_DIALECT: 'current',
  };
  const takeBack = lendToRuns(environment);
  const child = spawn(execPath, ['bin/ucctl.cjs', ...words], {
    env: environment,
    stdio: ['ignore', stdout, 'ignore'],
  });
  const exited = once(child, 'exit');
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    child.kill(signal);
    await exited;
    takeBack();
  };
  for (const until = performance.now() + readyMilliseconds; !existsSync(ready); await delay(10)) {
    if (child.exitCode !== null || performance.now() > until) {
      await end('SIGKILL');
      throw new Error('the listener did not become ready');
    }
  }
  return { end };
}

/** How often each message was shown, after all were shown or after a minute. */
async function allShown(folder: string, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  for (let tries = 0; ; tries += 1) {
    const shown = new Map<string, number>();
    const text = readFileSync(join(folder, 'shown.ndjson'), 'utf8');
    for (const [, id = ''] of text.matchAll(/"newMessageIds":\["(\d+)"\]/g))
      shown.set(id, (shown.get(id) ?? 0) + 1);
    if (tries > 600 || ids.every((id) => shown.has(id))) return shown;
    await delay(100);
  }
}
