import { expect, it } from 'vitest';
import { runUcctl } from '../../support/run-ucctl.ts';
import { socketUser, startCurrent } from '../../sandbox/sockets/client.ts';

it('a board polls, and says so, when the service no longer allows live events', async () => {
  const sandbox = await startCurrent();
  const { token } = await socketUser(sandbox, '102');
  const env = { UCCTL_BASE_URL: sandbox.url, UCCTL_TOKEN: token, UCCTL_DIALECT: 'current' };
  const addFault = (fault: object) => sandbox.control('POST', '/faults', fault);
  const become = (status: string) => runUcctl(`presence set --user-status ${status}`, { env });
  const loseEvents = async (): Promise<void> => {
    await addFault({ kind: 'status', operation: 'createWebSocketToken', status: 403, times: 0 });
    await addFault({ kind: 'socket-drop' });
    await become('Offline');
    await become('Busy');
  };
  const stop = new AbortController();
  const steps: Promise<unknown>[] = [];
  const { exit, stderr } = await runUcctl('presence watch "~" --interval 1s -o ndjson', {
    env,
    signal: stop.signal,
    onStdout: (text) => {
      if (steps.length === 0) steps.push(loseEvents());
      if (text.includes('"state":"busy"')) stop.abort(new Error('enough'));
    },
  });
  await Promise.all(steps);
  expect(stderr).toMatch(/no more live events can arrive \(.+\); polling instead/);
  expect(exit).toBe(0);
});
