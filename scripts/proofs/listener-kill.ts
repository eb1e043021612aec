import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync, rmSync, mkdtempSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { listenerEnvironment, startListener } from './listener-process.ts';
import { postEvent } from './post-event.ts';
import type { Result, Size } from './result.ts';

const senders = 8;
/**
 * Milliseconds of load before the n-th kill. Short and long times alternate, so that kills hit every phase of a
 * commit.
 */
const loadMilliseconds = (round: number): number => 60 + ((round * 37) % 240);

/** Kills the listener under load repeatedly: each acknowledged event is in the inbox, and is shown once. */
export async function run(size: Size): Promise<readonly Result[]> {
  const kills = size === 'full' ? 50 : 3;
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-listener-kill-'));
  const out = openSync(join(folder, 'shown.ndjson'), 'a');
  const acknowledged = new Set<string>();
  try {
    for (let round = 0; round < kills; round += 1) {
      const listener = await startListener(folder, out);
      const stop = { now: false };
      const load = Promise.all(Array.from({ length: senders }, () => send(listener.url, acknowledged, stop)));
      const before = acknowledged.size;
      await delay(loadMilliseconds(round));
      // A busy machine may need longer for the first event.
      for (let tries = 0; acknowledged.size === before && tries < 3000; tries += 1) await delay(10);
      await listener.kill();
      stop.now = true;
      await load;
    }
    const last = await startListener(folder, out);
    const shown = await allShown(folder, acknowledged);
    await last.stop();
    const stored = new Set(exported(folder));
    const lost = [...acknowledged].filter((uuid) => !stored.has(uuid)).length;
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
      { promise: 'every event is shown', figure: `${unseen} not shown`, holds: unseen === 0 },
      { promise: 'every event is shown once', figure: `${twice} shown twice`, holds: twice === 0 },
    ];
  } finally {
    closeSync(out);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function send(url: string, acknowledged: Set<string>, stop: { readonly now: boolean }): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (!stop.now) {
    const uuid = randomUUID();
    const { status } = await postEvent(url, uuid, agent);
    if (status === 0) break;
    if (status === 200) acknowledged.add(uuid);
  }
  agent.destroy();
}

/** Counts how often each event was shown, as soon as all events were shown or after 20 s. */
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
    env: listenerEnvironment(folder),
    encoding: 'utf8',
    maxBuffer: 1024 ** 3,
  });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { uuid: string }).uuid);
}
