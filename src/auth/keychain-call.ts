import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { KeychainAnswer, KeychainRequest } from './keychain-entry.ts';
import { ownProcess } from '../platform/own-process.ts';
import { withoutSecrets } from '../platform/secret-environment.ts';

export interface ChildLimits {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds after which the child process is killed. */
  readonly limitMilliseconds: number;
  /** Called when the call takes so long that it probably waits for a prompt. */
  readonly onWaiting?: (() => void) | undefined;
  readonly signal: AbortSignal;
}

/** Milliseconds until `onWaiting` is called. */
const noticeMilliseconds = 3000;

/** Performs a keychain request in a child process. Returns undefined after a timeout. */
export async function callKeychainChild(
  request: KeychainRequest,
  limits: ChildLimits,
): Promise<KeychainAnswer | undefined> {
  limits.signal.throwIfAborted();
  const child = spawn(ownProcess.executable, [childScript()], {
    env: withoutSecrets(limits.env),
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: limits.limitMilliseconds,
    killSignal: 'SIGKILL',
    windowsHide: true,
  });
  const stop = (): void => void child.kill('SIGKILL');
  limits.signal.addEventListener('abort', stop, { once: true });
  const notice = limits.onWaiting && setTimeout(limits.onWaiting, noticeMilliseconds);
  try {
    const ended = new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', () => resolve());
    });
    // A child that exits early closes its stdin. The missing answer is reported after the child has exited.
    child.stdin.on('error', () => undefined);
    child.stdin.end(JSON.stringify(request));
    const [answer] = await Promise.all([text(child.stdout), ended]);
    limits.signal.throwIfAborted();
    if (answer !== '') return JSON.parse(answer) as KeychainAnswer;
    if (child.signalCode === 'SIGKILL') return undefined;
    return { ok: false, message: `the keychain process ended with code ${child.exitCode}` };
  } finally {
    clearTimeout(notice);
    limits.signal.removeEventListener('abort', stop);
  }
}

/** Path of the child script: next to this file in the bundle; from the sources, the script of the last build. */
function childScript(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const bundled = join(here, 'keychain-child.cjs');
  return existsSync(bundled) ? bundled : join(here, '..', '..', 'dist', 'cli', 'keychain-child.cjs');
}
