import { expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { runUcctl, type RunOptions, type RunResult } from '../../support/run-ucctl.ts';
import { sandboxHttp, userOf } from '../../support/sandbox.ts';
import { temporaryPaths } from '../../support/temporary.ts';

it('lists the events of the user of the session with --extension ~', async () => {
  const sandbox = await startSandbox({ listen: false });
  onTestFinished(() => sandbox.close());
  const paths = temporaryPaths();
  const { username, password, extensionId } = userOf(sandbox, '102');
  const run = (line: string, stdin?: RunOptions['stdin']): Promise<RunResult> =>
    runUcctl(line, {
      sandbox: { http: sandboxHttp(sandbox) },
      paths,
      stdin,
      now: () => sandbox.clock.now(),
      env: {
        UCCTL_BASE_URL: sandbox.url,
        UCCTL_STORE: 'file',
        UCCTL_CLIENT_ID: sandbox.ready.clientId,
        UCCTL_CLIENT_SECRET: sandbox.ready.clientSecret,
        UCCTL_PASSWORD: password,
      },
    });
  expect((await run(`login --flow password --username ${username}`)).exit).toBe(0);
  const events = [extensionId, '3'].map((id) =>
    JSON.stringify({ uuid: `of ${id}`, event: `/restapi/v1.0/account/1/extension/${id}/presence` }),
  );
  await run('events import -', events.join('\n'));
  const { stdout } = await run('events list --extension ~ -o json');
  expect(JSON.parse(stdout)).toMatchObject([{ uuid: `of ${extensionId}` }]);
});
