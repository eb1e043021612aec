import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { requestsPerSecond, startServer } from './children.ts';
import { spread } from './measure.ts';
import type { Result } from './report.ts';

const ROUNDS = 5;
const SECONDS = 2;
const CONNECTIONS = 32;
/** As large as those of the service. */
const BODY_BYTES = 1489;

/** Durable acknowledgement, against a bare server that answers 200 and keeps nothing, in the same run. */
export async function listener(): Promise<readonly Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-bench-listener-'));
  const bare = await startServer(
    'bare-server.mjs',
    JSON.stringify({ body: '', headers: { 'content-type': 'application/json' } }),
  );
  try {
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const own = await startListener(folder, round);
      try {
        const load = {
          method: 'POST',
          body: body(round),
          connections: CONNECTIONS,
          seconds: SECONDS,
        } as const;
        const durable = await requestsPerSecond({ ...load, url: own.url });
        ratios.push(durable / (await requestsPerSecond({ ...load, url: bare.url })));
      } finally {
        await own.stop();
      }
    }
    const { min, median, max, noise } = spread(ratios);
    return [
      {
        name: 'durable acknowledgement, of a bare server',
        value: median,
        min,
        max,
        noise,
        goal: 0.25,
        sense: 'at least',
        unit: 'x',
      },
    ];
  } finally {
    await bare.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function body(round: number): string {
  const head = {
    uuid: `${round}-@COUNTER@@@@`,
    event: '/restapi/v1.0/account/1/extension/2/message-store',
    timestamp: 't',
  };
  const filler = 'x'.repeat(BODY_BYTES - JSON.stringify({ ...head, body: { text: '' } }).length);
  return JSON.stringify({ ...head, body: { text: filler } });
}

async function startListener(folder: string, round: number) {
  const ready = join(folder, `ready-${round}.json`);
  const child = spawn(
    execPath,
    ['bin/ucctl.cjs', 'webhook', 'listen', '--no-subscribe', '--ready-file', ready, '-o', 'ndjson', '-q'],
    {
      env: {
        PATH: env['PATH'],
        HOME: folder,
        UCCTL_STATE_DIR: folder,
        UCCTL_CONFIG_DIR: folder,
        UCCTL_BASE_URL: 'http://127.0.0.1:9',
        UCCTL_TOKEN: 'unused',
      },
      // Nobody reads what it shows: a slow reader must not cost an acknowledgement.
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const exited = once(child, 'exit');
  for (;;) {
    const text = await readFile(ready, 'utf8').catch(() => undefined);
    if (text !== undefined) {
      const { url } = JSON.parse(text) as { url: string };
      const stop = async (): Promise<void> => {
        child.kill('SIGKILL');
        await exited;
      };
      return { url, stop };
    }
    await delay(10);
  }
}
