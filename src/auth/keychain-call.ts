import { spawn } from 'node:child_process';
import type { KeychainAnswer, KeychainCall } from './keychain-entry.ts';
import { ownProcess } from '../platform/own-process.ts';
import { scriptArguments } from '../platform/package-file.ts';
import { withoutSecrets } from '../platform/secret-environment.ts';

export interface ChildLimits {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds that the keychain may take, after which the child process is killed. */
  readonly limitMilliseconds: number;
  /** Called when the keychain call takes so long that it is probably waiting for a prompt. */
  readonly onWaiting?: (() => void) | undefined;
  /** Stops the call; undefined for a call that must not be stopped. */
  readonly signal: AbortSignal | undefined;
}

/** Milliseconds until `onWaiting` is called. */
const noticeMilliseconds = 3000;

/** Milliseconds until the child process calls the keychain. A busy machine can take seconds to start a process. */
const startMilliseconds = 30_000;

/** Performs a keychain request in a child process. Returns undefined after a timeout. */
export async function callKeychainChild(
  call: KeychainCall,
  limits: ChildLimits,
): Promise<KeychainAnswer | undefined> {
  limits.signal?.throwIfAborted();
  const child = spawn(ownProcess.executable, scriptArguments('keychain-child'), {
    env: withoutSecrets(limits.env),
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });
  const stop = (): void => void child.kill('SIGKILL');
  limits.signal?.addEventListener('abort', stop, { once: true });
  let timer = setTimeout(stop, startMilliseconds);
  const notice = limits.onWaiting && setTimeout(limits.onWaiting, noticeMilliseconds);
  try {
    const ended = new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', () => resolve());
    });
    // A child that exits early closes its stdin. ucctl reports the missing answer after the child has exited.
    child.stdin.on('error', () => undefined);
    child.stdin.end(JSON.stringify(call));
    let answer = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => (answer += piece));
    // The first bytes are the line before the call of the keychain.
    child.stdout.once('data', () => {
      clearTimeout(timer);
      timer = setTimeout(stop, limits.limitMilliseconds);
    });
    await ended;
    limits.signal?.throwIfAborted();
    if (answer.trim() !== '') return JSON.parse(answer) as KeychainAnswer;
    if (child.signalCode === 'SIGKILL') return undefined;
    return { ok: false, message: `the keychain process exited with code ${child.exitCode}` };
  } finally {
    clearTimeout(timer);
    clearTimeout(notice);
    limits.signal?.removeEventListener('abort', stop);
  }
}
