import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface ReadyFile {
  readonly url: string;
  readonly pid: number;
  readonly queues: readonly { readonly extension: string }[];
  readonly clientId: string;
  readonly clientSecret: string;
  readonly users: readonly { readonly username: string; readonly password: string; readonly role: string }[];
}

export interface SandboxProcess {
  readonly url: string;
  readonly ready: ReadyFile;
  /** From the start of the process to its ready file. */
  readonly readyAfterMilliseconds: number;
  /** An access token of the administrator. */
  readonly token: string;
  stop(): Promise<void>;
}

/**
 * `ucctl sandbox start` as a separate process, so that it does not share the core's caches with the measured process.
 */
export async function startSandboxProcess(args: readonly string[] = []): Promise<SandboxProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-bench-'));
  const file = join(folder, 'ready.json');
  const start = performance.now();
  const child = spawn(
    'node',
    ['bin/ucctl.cjs', 'sandbox', 'start', '--port', '0', '--ready-file', file, ...args],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, UCCTL_STATE_DIR: folder },
    },
  );
  const ready = await waitForFile(file);
  const readyAfterMilliseconds = performance.now() - start;
  return {
    url: ready.url,
    ready,
    readyAfterMilliseconds,
    token: await signIn(ready),
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function waitForFile(file: string): Promise<ReadyFile> {
  for (let attempt = 0; attempt < 6000; attempt += 1) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text !== '') return JSON.parse(text) as ReadyFile;
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
  throw new Error('the sandbox was not ready within 30 s');
}

async function signIn(ready: ReadyFile): Promise<string> {
  const administrator = ready.users.find(({ role }) => role === 'administrator') ?? ready.users[0];
  if (!administrator) throw new Error('the sandbox has no users');
  // A sandbox of dialect `current` rejects passwords by default.
  await fetch(`${ready.url}/sandbox/v1/settings`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grants: 'all' }),
  });
  const reply = await fetch(`${ready.url}/restapi/oauth/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${ready.clientId}:${ready.clientSecret}`).toString('base64')}`,
    },
    body: new URLSearchParams({
      grant_type: 'password',
      username: administrator.username,
      password: administrator.password,
    }),
  });
  const { access_token: token } = (await reply.json()) as { access_token: string };
  return token;
}

/**
 * Signs the administrator in with `ucctl login`, which stores the session.
 * @param env environment of the run, such as that of a keychain.
 */
export function signInToStore({ url, ready }: SandboxProcess, env: Readonly<Record<string, string>>): void {
  const administrator = ready.users.find(({ role }) => role === 'administrator');
  const words = ['login', '--flow', 'password', '--username', administrator?.username ?? ''];
  const { status, stderr } = spawnSync(
    'node',
    ['bin/ucctl.cjs', ...words, '--password-stdin', '--client-id', ready.clientId],
    {
      input: `${administrator?.password ?? ''}\n`,
      env: { ...env, UCCTL_BASE_URL: url, UCCTL_CLIENT_SECRET: ready.clientSecret },
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`bench: the sign-in ended with ${status}: ${stderr}`);
}
