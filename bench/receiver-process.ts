import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../test/support/free-port.ts';
import { startUcctl } from '../test/support/process.ts';

/** A process of `webhook listen --sink`, without a subscription. */
export interface ReceiverProcess {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<unknown>;
}

/** Starts a receiver with its own name, and waits until it is ready. @throws if it ends before. */
export async function startReceiver(folder: string, store: string, sink: string): Promise<ReceiverProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const ready = join(folder, `ready-${port}.json`);
  const place = ['--sink', sink, '--store', store, '--ready-file', ready];
  const words = ['--no-subscribe', '--path', '/hook', '--public-url', url, '--port', String(port)];
  const { child, ended } = startUcctl(['webhook', 'listen', '--receiver', `r${port}`, ...place, ...words], {
    env: { HOME: folder },
  });
  while (!existsSync(ready)) {
    if (child.exitCode !== null) throw new Error(`bench: the receiver ended: ${(await ended).stderr}`);
    await pause(20);
  }
  return {
    url: `${url}/hook`,
    pid: child.pid ?? 0,
    stop: () => {
      child.kill('SIGKILL');
      return ended;
    },
  };
}

/** Body bytes of a notification, as of the notifications of the service. */
const bodyBytes = 1489;

/**
 * A notification with a number for each request. It is a presence notification, because a message event also changes
 * the tasks of workers.
 */
export function notification(prefix: string): string {
  const head = {
    uuid: `${prefix}-@COUNTER@@@@`,
    event: '/restapi/v1.0/account/1/extension/2/presence',
    timestamp: 't',
  };
  const filler = 'x'.repeat(bodyBytes - JSON.stringify({ ...head, body: { text: '' } }).length);
  return JSON.stringify({ ...head, body: { text: filler } });
}
