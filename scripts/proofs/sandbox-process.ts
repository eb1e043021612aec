import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadyFile } from '../../src/sandbox/index.ts';

/** `ucctl sandbox start` in a process that can be killed. */
export interface SandboxProcess {
  readonly ready: ReadyFile;
  /** Kills the process with SIGKILL, so that it writes nothing more. */
  kill(): Promise<void>;
  /** Asks the process to shut down. */
  stop(): Promise<void>;
  control<T>(method: string, path: string, body?: object): Promise<T>;
  /** Sends one request to the service as a signed-in user; throws the errors of the network. */
  send(token: string, method: string, path: string, body?: object): Promise<Response>;
  signIn(role: string): Promise<string>;
}

/** Starts a sandbox in `folder`, which contains its state and its database. Resolves when the sandbox accepts requests. */
export async function startProcess(folder: string, args: readonly string[]): Promise<SandboxProcess> {
  const file = join(folder, 'ready.json');
  await rm(file, { force: true });
  const child = spawn(
    process.execPath,
    ['bin/ucctl.cjs', 'sandbox', 'start', '--db', join(folder, 'proof.db'), '--ready-file', file, ...args],
    { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, UCCTL_STATE_DIR: folder } },
  );
  const ready = await waitFor(file, () => child.exitCode !== null);
  const request = (path: string, init: RequestInit): Promise<Response> => fetch(ready.url + path, init);
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  return {
    ready,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    async control<T>(method: string, path: string, body?: object) {
      const reply = await request(`/sandbox/v1${path}`, {
        method,
        ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      if (!reply.ok) throw new Error(`${method} ${path}: ${await reply.text()}`);
      return (await reply.json()) as T;
    },
    send: (token, method, path, body) =>
      request(`/restapi/v1.0${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      }),
    async signIn(role) {
      const user = ready.users.find((one) => one.role === role);
      const basic = Buffer.from(`${ready.clientId}:${ready.clientSecret}`).toString('base64');
      const reply = await request('/restapi/oauth/token', {
        method: 'POST',
        headers: { authorization: `Basic ${basic}` },
        body: new URLSearchParams({
          grant_type: 'password',
          username: user?.username ?? '',
          extension: user?.extension ?? '',
          password: user?.password ?? '',
        }),
      });
      return ((await reply.json()) as { access_token: string }).access_token;
    },
  };
}

async function waitFor(file: string, ended: () => boolean): Promise<ReadyFile> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text.endsWith('\n')) return JSON.parse(text) as ReadyFile;
    if (ended()) throw new Error('the sandbox ended before it was ready');
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
}

/** Waits until the last notification is delivered or abandoned: advancing the clock waits for ten seconds at most. */
export async function settled(sandbox: SandboxProcess): Promise<void> {
  const pending = async () =>
    (await sandbox.control<{ pendingDeliveries: number }>('GET', '/status')).pendingDeliveries;
  while ((await pending()) > 0) {
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
}
