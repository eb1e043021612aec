import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { runUcctl } from '../../support/run-ucctl.ts';
import { socketUser, startCurrent } from '../../sandbox/sockets/client.ts';

/** A sandbox of dialect `current`, and a command of a user that connects to it over the network. */
async function desk(who = '102') {
  const sandbox = await startCurrent();
  const user = await socketUser(sandbox, who);
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
    const { stdout, stderr, exit } = await result;
    expect(JSON.parse(stdout)).toMatchObject({ body: { changes: [{ type: 'SMS', newCount: 1 }] } });
    expect(stderr).toMatch(/^Subscription \S+ ended with its connection\.$/m);
    expect(exit).toBe(0);
  });

  it('a board, which never shows its subscription, ends without a note', async () => {
    const { sandbox, env } = await desk();
    const stop = new AbortController();
    const { stderr, exit } = await runUcctl('presence watch "~" -o ndjson', {
      env,
      signal: stop.signal,
      onStdout: () => {
        expect(sandbox.subscriptions()).toHaveLength(1);
        stop.abort(new Error('enough'));
      },
    });
    expect([exit, stderr]).toEqual([0, '']);
  });

  it('subscribe list shows the subscription until the WebSocket closes, and no command deletes it', async () => {
    const { sandbox, user, env, start } = await desk();
    const { result, ready } = start('subscribe tail --events messages --count 1 -o ndjson');
    await ready;
    const id = sandbox.subscriptions()[0]?.id ?? '';
    const ids = async (): Promise<string> =>
      (await runUcctl('subscribe list --json=id --jq .[].id', { env })).stdout;
    expect(await ids()).toBe(`${id}\n`);
    expect(await runUcctl(`subscribe delete ${id} --yes`, { env })).toMatchObject({ exit: 1 });
    await user.text('hello');
    expect(await result).toMatchObject({ exit: 0 });
    expect(await ids()).toBe('');
  });

  it('subscribe create without an address names a command that this dialect has', async () => {
    const { env } = await desk();
    const { exit, stderr } = await runUcctl('subscribe create --events messages', { env });
    expect([exit, stderr]).toEqual([2, expect.stringContaining('--address URL is required')]);
    expect(stderr).toContain('ucctl subscribe tail');
    expect(stderr).not.toContain('--transport channel');
    const channel = await runUcctl('subscribe create --events messages --transport channel', { env });
    expect([channel.exit, channel.stderr]).toEqual([2, expect.stringContaining('use --transport webhook\n')]);
  });

  it('reports an unused option of a listener, and --keep', async () => {
    const { env } = await desk();
    const port = await runUcctl('webhook listen --transport websocket --port 8080', { env });
    expect(port).toMatchObject({ exit: 2 });
    expect(port.stderr).toContain('--port can be used only with --transport webhook');
    const keep = await runUcctl('subscribe tail --keep', { env });
    expect(keep).toMatchObject({ exit: 2 });
    expect(keep.stderr).toContain('cannot be used with a WebSocket subscription');
  });
});

/** Runs a command that watches until it has written a line that the change causes, and then stops it like Ctrl-C. */
async function watch(
  who: string,
  command: string,
  change: (user: Desk['user']) => Promise<unknown>,
  shows: RegExp,
) {
  const { sandbox, user, env } = await desk(who);
  const stop = new AbortController();
  onTestFinished(() => stop.abort(new Error('the test has ended')));
  const seen = { stdout: '', stderr: '', exit: undefined as number | undefined };
  const running = runUcctl(command, {
    env,
    signal: stop.signal,
    onStdout: (text) => void (seen.stdout += text),
    onStderr: (text) => void (seen.stderr += text),
  }).then(({ exit }) => (seen.exit = exit));
  running.catch(() => undefined);
  await eventually(() =>
    expect([seen.exit, sandbox.subscriptions()]).toMatchObject([undefined, [{ status: 'Active' }]]),
  );
  expect(sandbox.subscriptions()).toMatchObject([{ transportType: 'WebSocket' }]);
  // Until the first states are written, changes may be part of them.
  await eventually(() => expect(seen.stdout).not.toBe(''));
  const before = seen.stdout.length;
  await change(user);
  await eventually(() => expect(seen.stdout.slice(before)).toMatch(shows));
  stop.abort(new Error('enough'));
  expect(await running).toBe(0);
  await eventually(() => expect(sandbox.subscriptions()).toEqual([]));
  const over = sandbox.requestLog().map(({ method, path }) => `${method} ${path}`);
  return { requests: over, stderr: seen.stderr };
}

type Desk = Awaited<ReturnType<typeof desk>>;
const busy = ({ put }: Desk['user']) =>
  put('/account/~/extension/171857103/presence', { message: 'At lunch', userStatus: 'Busy' });

describe('spec:CURRENT-12 commands that watch, in dialect current', () => {
  it.each([
    ['queue watch', 'queue watch Support', /"extensionNumber":"103".*At lunch/],
    ['presence watch', 'presence watch 103', /"extensionNumber":"103".*At lunch/],
  ])('%s shows a change that arrives through a WebSocket', async (_, command, shows) => {
    const { requests } = await watch('administrator', command, busy, shows);
    expect(requests).toContain('POST /restapi/oauth/wstoken');
    // The subscription ends with its connection: nothing is managed over HTTP.
    expect(requests.filter((line) => /(POST|PUT|DELETE) .*\/subscription/.test(line))).toHaveLength(1);
  });

  it('sync --watch copies a message that arrives through a WebSocket', async () => {
    const { requests } = await watch(
      '102',
      'sync --watch -o ndjson',
      (user) => user.text('a new text'),
      /"added":1/,
    );
    expect(requests).toContain('POST /restapi/oauth/wstoken');
  });
});
