import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { WebSocket } from 'ws';
import { MisbehavingService } from '../../foreign/web-socket/service.ts';
import { eventually } from '../../support/eventually.ts';
import { postgresMissing, testStore } from '../../support/postgres.ts';
import { runUcctl } from '../../support/run-ucctl.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';

/** Starts a process of the receiver, and waits until it is ready. @returns what it has written to the terminal. */
async function start(origin: string, store: string): Promise<() => string> {
  const file = join(temporaryFolder(), 'ready.json');
  const stop = new AbortController();
  let stderr = '';
  const running = runUcctl(
    `webhook listen --transport websocket --sink store --events messages --ready-file ${file}`,
    {
      paths: temporaryPaths(),
      env: {
        UCCTL_BASE_URL: origin,
        UCCTL_TOKEN: 'token-of-the-user-1',
        UCCTL_DIALECT: 'current',
        UCCTL_STORE: store,
      },
      signal: stop.signal,
      now: () => Date.now(),
      onStderr: (text) => void (stderr += text),
    },
  );
  onTestFinished(async () => {
    stop.abort(new Error('interrupted'));
    await running;
  });
  await eventually(() => readFileSync(file, 'utf8'));
  return () => stderr;
}

describe.skipIf(postgresMissing())('the owner of a shared WebSocket', () => {
  it('hands over when the service no longer replies, although the connection stays open', async () => {
    const sockets: WebSocket[] = [];
    const opened = ({ socket }: { readonly socket: WebSocket }) => void sockets.push(socket);
    const service = new MisbehavingService({ name: 'silence', tokens: 2, opened }, () => Date.now());
    const origin = await service.listen();
    onTestFinished(() => service.close());
    const { db, url } = await testStore();
    const first = await start(origin, url);
    await eventually(async () =>
      expect(await db.query('select 1 from receiver where socket is not null')).toHaveLength(1),
    );
    const second = await start(origin, url);
    service.publish();
    const stored = async (count: number) =>
      eventually(async () => expect(await db.query('select 1 from event')).toHaveLength(count));
    await stored(1);
    // The service neither reads pings nor sends events.
    sockets[0]?.pause();
    await eventually(() => expect(second()).toContain('This process now receives the events.'));
    expect(first()).toContain('the service does not reply');
    service.publish();
    await stored(2);
    expect(service.wstokens).toBe(2);
  });
});
