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
  /** The child is killed after this long. */
  readonly limitMilliseconds: number;
  /** Called when it takes long enough to be waiting for a person. */
  readonly onWaiting?: (() => void) | undefined;
  readonly signal: AbortSignal;
}

/** Milliseconds after which a person is told what the wait is for. */
const noticeMilliseconds = 3000;

/** Does one thing with the keychain in a child process. Undefined when it did not answer in time. */
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
    // A child that dies early closes its stdin; its missing answer says so already.
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

/** Beside this file when bundled; from source, the last build's. */
function childScript(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const bundled = join(here, 'keychain-child.cjs');
  return existsSync(bundled) ? bundled : join(here, '..', '..', 'dist', 'cli', 'keychain-child.cjs');
}
