import { expect, onTestFinished } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import { createUndiciHttp } from '../../../src/client/undici-http.ts';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import type { Postgres } from '../../../src/store/index.ts';
import { eventually } from '../../support/eventually.ts';
import { testStore } from '../../support/postgres.ts';
import { runUcctl, type RunOptions, type RunResult } from '../../support/run-ucctl.ts';
import { sandboxHttp, signInAs } from '../../support/sandbox.ts';
import { temporaryPaths } from '../../support/temporary.ts';

/** A sandbox, a store and any number of machines with workers. */
export interface FleetOffice {
  readonly sandbox: Sandbox;
  readonly db: Postgres;
  readonly url: string;
  /** Called before each request of a machine. */
  onRequest: (path: string) => Promise<void>;
  run(words: string | readonly string[], options?: Partial<RunOptions>): Promise<RunResult>;
  /** The rows of a command as JSON. @throws if the command fails. */
  rows<T>(words: string): Promise<readonly T[]>;
}

/**
 * Starts a sandbox and a store of this test. Each run is a machine of its own with the administrator's token.
 * @param clientId the app of the token
 */
export async function fleetOffice(
  settings: Parameters<typeof startSandbox>[0] = {},
  clientId?: string,
): Promise<FleetOffice> {
  const sandbox = await startSandbox({ listen: false, rateLimits: 'off', ...settings });
  onTestFinished(() => sandbox.close());
  const { db, url } = await testStore();
  const token = await signInAs(sandbox, 'administrator', clientId);
  const network = createUndiciHttp();
  onTestFinished(() => network.close());
  const http: HttpSend = async (request) => {
    await office.onRequest(request.url.pathname);
    // Commands also send events to other servers of this machine.
    return request.url.origin === new URL(sandbox.url).origin
      ? sandboxHttp(sandbox)(request)
      : network.send(request);
  };
  const env = { UCCTL_BASE_URL: sandbox.url, UCCTL_TOKEN: token, UCCTL_STORE: url };
  const office: FleetOffice = {
    sandbox,
    db,
    url,
    onRequest: () => Promise.resolve(),
    run: (words, options) =>
      runUcctl(words, { paths: temporaryPaths(), sandbox: { http, env }, now: () => Date.now(), ...options }),
    async rows<T>(words: string) {
      const { exit, stdout, stderr } = await office.run(`${words} -o json`);
      if (exit !== 0) throw new Error(`ucctl ${words}: exit ${exit}: ${stderr}`);
      return JSON.parse(stdout) as readonly T[];
    },
  };
  return office;
}

/**
 * Lets another worker take over the only task during the first sync request, as after a stall of the first worker whose lease
 * has ended. A first renewal that comes late can restore the lease once.
 */
export function takeOverFirst(office: FleetOffice): void {
  const { db } = office;
  let isFirst = true;
  office.onRequest = async (path) => {
    if (!path.endsWith('/message-sync') || !isFirst) return;
    isFirst = false;
    await eventually(async () => {
      await db.run(`update fleet_task set lease_until = '-infinity', due_at = '-infinity' where fence = 1`);
      expect((await office.run('fleet worker --once')).exit).toBe(0);
      expect(await db.query('select fence from fleet_task')).toEqual([{ fence: 2 }]);
    });
  };
}
