import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settled, startProcess, type SandboxProcess } from './sandbox-process.ts';
import { startWebhook } from './webhook.ts';

interface Size {
  readonly hours: number;
  readonly perMinute: number;
}
interface ClockState {
  readonly time: string;
}

/**
 * Runs the same script three times: twice without interruption, once with a kill -9 while the clock is advanced.
 * Returns the three hashes.
 */
export async function runScriptedTime(size: Size): Promise<readonly [string, string, string]> {
  const webhook = await startWebhook();
  const port = await freePort();
  try {
    const run = (kill: boolean): Promise<string> => runScript(size, port, webhook.address, kill);
    return [await run(false), await run(false), await run(true)];
  } finally {
    await webhook.close();
  }
}

async function runScript(
  { hours, perMinute }: Size,
  port: number,
  address: string,
  kill: boolean,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-week-'));
  const args = ['--seed', '42', '--clock', 'frozen', '--rate-limits', 'off', '--port', String(port)];
  let sandbox = await startProcess(folder, args);
  try {
    // Whether the webhook answers within a second depends on the load of the machine and is not part of the proof.
    await sandbox.control('PATCH', '/settings', { webhookTimeoutMilliseconds: 30_000 });
    const start = Date.parse((await sandbox.control<ClockState>('GET', '/clock')).time);
    await sandbox.control('POST', '/traffic', { perMinute, seconds: hours * 3600 });
    for (let hour = 1; hour <= hours; hour += 1) {
      await act(sandbox, hour, address);
      const target = start + hour * 3_600_000;
      if (kill && hour === Math.ceil(hours / 2)) {
        const broken = goTo(sandbox, target).catch(() => undefined);
        await new Promise((resolve) => {
          setTimeout(resolve, 25);
        });
        await sandbox.kill();
        await broken;
        sandbox = await startProcess(folder, args);
      }
      await goTo(sandbox, target);
    }
    await settled(sandbox);
    return (await sandbox.control<{ hash: string }>('GET', '/state')).hash;
  } finally {
    await sandbox.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The client's actions in this hour. */
async function act(sandbox: SandboxProcess, hour: number, address: string): Promise<void> {
  if (hour % 6 !== 1) return;
  const token = await sandbox.signIn('administrator');
  if (hour === 1) {
    await sandbox.send(token, 'POST', '/subscription', {
      eventFilters: [
        '/restapi/v1.0/account/~/extension/~/message-store',
        '/restapi/v1.0/account/~/extension/~/presence?detailedTelephonyState=true',
      ],
      deliveryMode: { transportType: 'WebHook', address },
    });
  }
  await sandbox.send(token, 'POST', '/account/~/extension/~/sms', {
    from: { phoneNumber: '+16505550110' },
    to: [{ phoneNumber: '+14155550123' }],
    text: `Text of hour ${hour}`,
  });
}

async function goTo(sandbox: SandboxProcess, target: number): Promise<void> {
  const now = Date.parse((await sandbox.control<ClockState>('GET', '/clock')).time);
  await sandbox.control('POST', '/clock/advance', { seconds: (target - now) / 1000 });
}

/** Addresses are part of events, so every run uses the same address. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

/** Full size. @throws when the three end states are not byte for byte the same. */
export async function proveScriptedWeek(say: (line: string) => void): Promise<void> {
  const hashes = await runScriptedTime({ hours: 168, perMinute: 2 });
  for (const hash of hashes) say(hash);
  if (new Set(hashes).size !== 1) throw new Error('the runs of the same week ended in different states');
}
