import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { eventually } from '../../support/eventually.ts';
import { conditionLimit } from '../../support/limits.ts';
import { startUcctl } from '../../support/process.ts';
import { signInAs } from '../../support/sandbox.ts';
import { temporaryFolder } from '../../support/temporary.ts';

interface LiveBoard {
  /** Ends the process at once, without any cleanup. */
  kill(): Promise<void>;
  /** Ends it as Ctrl-C does. */
  interrupt(): Promise<void>;
}

/** Starts boards as processes that share one state folder. */
async function boards(): Promise<{
  readonly sandbox: Sandbox;
  readonly ids: () => readonly string[];
  /** Starts a board; by default, waits until it shows people. */
  readonly start: (command: string, isStarted?: () => void) => Promise<LiveBoard>;
}> {
  const sandbox = await startSandbox({
    clock: 'real',
    // On a busy machine, a board would poll after a late reply to the handshake.
    settings: { webhookTimeoutMilliseconds: conditionLimit },
  });
  onTestFinished(() => sandbox.close());
  const folder = temporaryFolder();
  const env = {
    HOME: folder,
    UCCTL_STATE_DIR: folder,
    UCCTL_CONFIG_DIR: folder,
    UCCTL_BASE_URL: sandbox.url,
    UCCTL_TOKEN: await signInAs(sandbox, 'administrator'),
  };
  const start = async (command: string, isStarted?: () => void): Promise<LiveBoard> => {
    const { child, ended } = startUcctl([...command.split(' '), '-o', 'ndjson'], { env });
    onTestFinished(() => void child.kill('SIGKILL'));
    let shown = '';
    child.stdout.on('data', (text: string) => (shown += text));
    // It shows people only after its subscription was made.
    const showsPeople = (): void => {
      if (shown === '') throw new Error('the board shows nobody');
    };
    await eventually(isStarted ?? showsPeople);
    const end = async (signal: 'SIGKILL' | 'SIGINT'): Promise<void> => {
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
      await ended;
    };
    return { kill: () => end('SIGKILL'), interrupt: () => end('SIGINT') };
  };
  const ids = (): readonly string[] => sandbox.subscriptions().map(({ id }) => id);
  return { sandbox, ids, start };
}

describe.each(['queue watch Support', 'presence watch 101'])('%s', (command) => {
  it('deletes the subscription of a killed run at its start', async () => {
    const { ids, start } = await boards();
    await (await start(command)).kill();
    const left = ids();
    expect(left).toHaveLength(1);
    const second = await start(command);
    expect(ids()).toHaveLength(1);
    expect(ids()).not.toEqual(left);
    await second.interrupt();
    expect(ids()).toEqual([]);
  });
});

it.each([
  ['queue watch Support', ['queue watch Support']],
  // The next board has the name of the first board, and deletes what the second board left.
  ['presence watch 101', ['queue watch Support', 'presence watch 101']],
])(
  'a board killed before the reply to its subscription leaves no subscription: %s',
  async (command, next) => {
    const { sandbox, ids, start } = await boards();
    const running = next.length > 1 ? await start('queue watch Sales') : undefined;
    const before = ids();
    // The service creates the subscription, the reply is lost, and the search for it hangs.
    await sandbox.control('POST', '/faults', {
      kind: 'reset-after',
      operation: 'createSubscription',
      times: 1,
    });
    const hang = { kind: 'latency', operation: 'listSubscriptions', milliseconds: 600_000, times: 1 };
    await sandbox.control('POST', '/faults', hang);
    const killed = await start(command, () => expect(ids()).toHaveLength(before.length + 1));
    await killed.kill();
    await running?.kill();
    const left = ids();
    expect(left).toHaveLength(before.length + 1);
    const again = [await start(next[0] ?? ''), ...(next[1] === undefined ? [] : [await start(next[1])])];
    expect(ids()).toHaveLength(again.length);
    expect(ids().filter((id) => left.includes(id))).toEqual([]);
    for (const board of again) await board.interrupt();
    expect(ids()).toEqual([]);
  },
);

describe('a second board while another one is live', () => {
  it('has its own subscription and keeps that of the first', async () => {
    const { ids, start } = await boards();
    const first = await start('queue watch Support');
    const [ofFirst = ''] = ids();
    const second = await start('presence watch 101');
    expect(ids()).toHaveLength(2);
    expect(ids()).toContain(ofFirst);
    await second.kill();
    // The next second board takes the place of the killed one; the first keeps its own.
    const third = await start('queue watch Sales');
    expect(ids()).toHaveLength(2);
    expect(ids()).toContain(ofFirst);
    await third.interrupt();
    expect(ids()).toEqual([ofFirst]);
    await first.interrupt();
    expect(ids()).toEqual([]);
  });
});
