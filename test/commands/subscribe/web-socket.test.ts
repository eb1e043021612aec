import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { runUcctl } from '../../support/run-ucctl.ts';
import { socketUser, startCurrent } from '../../sandbox/sockets/client.ts';

/** A sandbox of dialect `current`, and a command of the user 102 that connects to it over the network. */
async function desk() {
  const sandbox = await startCurrent();
  const user = await socketUser(sandbox);
  const env = { UCCTL_BASE_URL: sandbox.url, UCCTL_TOKEN: user.token, UCCTL_DIALECT: 'current' };
  const start = (command: string) => {
    let stderr = '';
    const result = runUcctl(command, { env, onStderr: (text) => void (stderr += text) });
    const ready = eventually(() => expect(stderr).toContain('eady'));
    return { result, ready };
  };
  return { sandbox, user, env, start };
}

describe('spec:CURRENT-12 live events in dialect current', () => {
  it.each([
    ['subscribe tail', 'subscribe tail --events messages --count 1 -o ndjson'],
    ['webhook listen', 'webhook listen --transport websocket --count 1 -o ndjson'],
  ])('%s receives them through a WebSocket without any setting', async (_, command) => {
    const { sandbox, user, start } = await desk();
    const { result, ready } = start(command);
    await ready;
    expect(sandbox.subscriptions()).toMatchObject([{ transportType: 'WebSocket' }]);
    await user.text('hello');
    const { stdout, exit } = await result;
    expect(JSON.parse(stdout)).toMatchObject({ body: { changes: [{ type: 'SMS', newCount: 1 }] } });
    expect(exit).toBe(0);
  });

  it('reports an unused option of a listener, and --keep', async () => {
    const { env } = await desk();
    const port = await runUcctl('webhook listen --transport websocket --port 8080', { env });
    expect(port).toMatchObject({ exit: 2 });
    expect(port.stderr).toContain('--port can only be used with --transport webhook');
    const keep = await runUcctl('subscribe tail --keep', { env });
    expect(keep).toMatchObject({ exit: 2 });
    expect(keep.stderr).toContain('ends with its connection');
  });
});
