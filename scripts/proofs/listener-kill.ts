import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { openSync, readFileSync, rmSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Result, Size } from './result.ts';

const senders = 8;
/** Milliseconds of load before the n-th kill: short and long in turn, so that kills meet every moment of a commit. */
const loadMilliseconds = (round: number): number => 60 + ((round * 37) % 240);

interface Listener {
  readonly child: ChildProcess;
  readonly url: string;
}

/** Kills the listener under load again and again: what it has acknowledged is in the inbox, and shown once. */
export async function run(size: Size): Promise<readonly Result[]> {
  const kills = size === 'full' ? 50 : 3;
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-listener-kill-'));
  const acknowledged = new Set<string>();
  try {
    for (let round = 0; round < kills; round += 1) {
      const { child, url } = await startListener(folder, round);
      const stop = { now: false };
      const load = Promise.all(Array.from({ length: senders }, () => send(url, acknowledged, stop)));
      await delay(loadMilliseconds(round));
      child.kill('SIGKILL');
      await once(child, 'exit');
      stop.now = true;
      await load;
    }
    const last = await startListener(folder, kills);
    const shown = await allShown(folder, acknowledged);
    last.child.kill('SIGTERM');
    await once(last.child, 'exit');
    const kept = new Set(exported(folder));
    const lost = [...acknowledged].filter((uuid) => !kept.has(uuid)).length;
    const [unseen, twice] = [0, 2].map(
      (times) =>
        [...acknowledged].filter((uuid) => (times === 0 ? !shown.has(uuid) : (shown.get(uuid) ?? 0) > 1))
          .length,
    );
    const figure = `${acknowledged.size} acknowledged over ${kills} kills`;
    return [
      {
        promise: 'every acknowledged event is in the inbox',
        figure: `${lost} lost of ${figure}`,
        holds: lost === 0 && acknowledged.size > 0,
      },
      { promise: 'each is shown', figure: `${unseen} not shown`, holds: unseen === 0 },
      { promise: 'each is shown once', figure: `${twice} shown twice`, holds: twice === 0 },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function environment(folder: string) {
  return {
    PATH: env['PATH'],
    HOME: folder,
    UCCTL_STATE_DIR: folder,
    UCCTL_CONFIG_DIR: folder,
    UCCTL_BASE_URL: 'http://127.0.0.1:9',
    UCCTL_TOKEN: 'unused',
  };
}

async function startListener(folder: string, round: number): Promise<Listener> {
  const ready = join(folder, `ready-${round}.json`);
  const out = openSync(join(folder, 'shown.ndjson'), 'a');
  const child = spawn(
    execPath,
    ['bin/ucctl.cjs', 'webhook', 'listen', '--no-subscribe', '--ready-file', ready, '-o', 'ndjson', '-q'],
    { env: environment(folder), stdio: ['ignore', out, 'inherit'] },
  );
  for (let tries = 0; tries < 1000; tries += 1) {
    const url = readyUrl(ready);
    if (url !== undefined) return { child, url };
    await delay(10);
  }
  throw new Error('the listener did not become ready');
}

function readyUrl(file: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { url: string }).url;
  } catch {
    return undefined;
  }
}

async function send(url: string, acknowledged: Set<string>, stop: { readonly now: boolean }): Promise<void> {
  while (!stop.now) {
    const uuid = randomUUID();
    const event = '/restapi/v1.0/account/1/extension/2/message-store';
    const body = JSON.stringify({ uuid, event, timestamp: 't', body: { text: 'x'.repeat(700) } });
    try {
      const reply = await fetch(url, { method: 'POST', body });
      if (reply.status === 200) acknowledged.add(uuid);
    } catch {
      return;
    }
  }
}

/** How often each event was shown, once all have been or 20 s have passed. */
async function allShown(
  folder: string,
  acknowledged: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  for (let tries = 0; ; tries += 1) {
    const shown = new Map<string, number>();
    for (const [, uuid = ''] of readFileSync(join(folder, 'shown.ndjson'), 'utf8').matchAll(
      /"uuid":"([^"]+)"/g,
    )) {
      shown.set(uuid, (shown.get(uuid) ?? 0) + 1);
    }
    if (tries > 200 || [...acknowledged].every((uuid) => shown.has(uuid))) return shown;
    await delay(100);
  }
}

function exported(folder: string): readonly string[] {
  const { stdout } = spawnSync(execPath, ['bin/ucctl.cjs', 'events', 'export', '-o', 'ndjson'], {
    env: environment(folder),
    encoding: 'utf8',
    maxBuffer: 1024 ** 3,
  });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { uuid: string }).uuid);
}
