import { onTestFinished } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { testStore } from '../../support/postgres.ts';
import { runUcctl, type RunOptions } from '../../support/run-ucctl.ts';
import { sandboxHttp, userOf } from '../../support/sandbox.ts';
import { temporaryPaths } from '../../support/temporary.ts';

const key = Buffer.alloc(32, 9).toString('base64');

/** Two machines with one store, on which profiles sign in. */
export async function company(rateLimits: 'realistic' | 'off' = 'realistic') {
  const sandbox = await startSandbox({ listen: false, rateLimits });
  onTestFinished(() => sandbox.close());
  const { db, url } = await testStore();
  const { clientId, clientSecret } = sandbox.ready;
  const paths = [temporaryPaths(), temporaryPaths()] as const;
  /** Sends the requests of the machines; a test may replace it. */
  const network = { send: sandboxHttp(sandbox) };
  const run = (
    machine: 0 | 1,
    words: string,
    more: Readonly<Record<string, string>> = {},
    options: RunOptions = {},
  ) =>
    runUcctl(words, {
      paths: paths[machine],
      now: () => sandbox.clock.now(),
      sandbox: {
        http: (request) => network.send(request),
        env: {
          UCCTL_BASE_URL: sandbox.url,
          UCCTL_CLIENT_ID: clientId,
          UCCTL_CLIENT_SECRET: clientSecret,
          UCCTL_STORE: url,
          UCCTL_STORE_KEY: key,
          ...more,
        },
      },
      ...options,
    });
  const signIn = (profile: string, who: string) => {
    const { username, extension, password } = userOf(sandbox, who);
    const words = `login -p ${profile} --flow password --username ${username} --extension ${extension}`;
    return run(0, words, { UCCTL_PASSWORD: password });
  };
  return { sandbox, db, network, run, signIn };
}
