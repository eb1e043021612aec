import type { ChildProcess } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { isLoopback } from '../../../platform/base-url.ts';
import { CommandError, Exit } from '../../../errors/command.ts';
import { endGroup, spawnGroup } from '../deliver/child-group.ts';
import { withoutSecrets } from '../../../platform/secret-environment.ts';

export interface TunnelSettings {
  /** For the shell; UCCTL_PORT holds the port to lead to. */
  readonly command: string;
  readonly port: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Whether an address without https counts. */
  readonly development: boolean;
  readonly signal: AbortSignal;
  /** Called once when it ends by itself after it was open. */
  readonly onEnd: (error: CommandError) => void;
}

/** A program of the user that makes this machine's port reachable. */
export interface Tunnel {
  /** Public address, without a path. */
  readonly url: URL;
  /** Ends the program and what it started. */
  close(): Promise<void>;
}

const timeoutMilliseconds = 30_000;
const keptLines = 10;

/**
 * Starts the program and waits for the first address without a path in what it prints.
 * @throws {CommandError} `tunnel_failed` (exit 12) when it ends before, or prints none for 30 s.
 */
export async function openTunnel(settings: TunnelSettings): Promise<Tunnel> {
  const { command, port, cwd, env, signal } = settings;
  // In a group of its own: Ctrl-C is for us, and the address is needed until the subscription is deleted.
  const child = spawnGroup(command, {
    cwd,
    env: { ...withoutSecrets(env), UCCTL_PORT: String(port) },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  let isClosing = false;
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, killed) =>
      resolve(code === null ? `ended by ${killed}` : `ended with code ${code}`),
    );
  });
  const close = async (): Promise<void> => {
    isClosing = true;
    await endGroup(child);
  };
  try {
    const url = await addressOf(child, settings, said, ended);
    void ended.then((how) => (isClosing ? undefined : settings.onEnd(failure(`the tunnel ${how}`, said))));
    return { url, close };
  } catch (error) {
    await close();
    signal.throwIfAborted();
    throw error;
  }
}

function addressOf(
  child: ChildProcess,
  settings: TunnelSettings,
  said: string[],
  ended: Promise<string>,
): Promise<URL> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      clearTimeout(timer);
      reject(failure(why, said));
    };
    const timer = setTimeout(
      () => fail('the tunnel printed no public address within 30 s'),
      timeoutMilliseconds,
    );
    const stop = (): void => fail('interrupted');
    settings.signal.addEventListener('abort', stop, { once: true });
    void ended.then((how) => fail(`the tunnel ${how} before it printed a public address`));
    const take = (line: string): void => {
      said.push(line);
      if (said.length > keptLines) said.shift();
      const url = publicAddressIn(line, settings);
      if (!url) return;
      clearTimeout(timer);
      settings.signal.removeEventListener('abort', stop);
      resolve(url);
    };
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', lines(take));
  });
}

/** Cuts what comes into lines; an address may be at the end of one that is not ended yet. */
function lines(take: (line: string) => void): (piece: Buffer) => void {
  let rest = '';
  return (piece) => {
    const [last = '', ...whole] = (rest + piece.toString()).split('\n').reverse();
    rest = last.slice(-10_000);
    for (const line of whole.reverse()) take(line);
  };
}

/** Programs also print where help is found (with a path) and where they lead to (this machine). */
function publicAddressIn(line: string, { development, port }: TunnelSettings): URL | undefined {
  for (const [found] of stripVTControlCharacters(line).matchAll(/https?:\/\/[^\s"'<>|]+/g)) {
    const text = found.replace(/[.,;)]+$/, '');
    if (!URL.canParse(text)) continue;
    const url = new URL(text);
    if (url.origin !== text.toLowerCase()) continue;
    if (url.protocol === 'https:' && !isLoopback(url.hostname)) return url;
    if (development && url.port !== String(port)) return url;
  }
  return undefined;
}

function failure(message: string, said: readonly string[]): CommandError {
  return new CommandError('tunnel_failed', Exit.local, message, {
    hint: 'try the command by itself with UCCTL_PORT set; it must print its public https address',
    details: said.map((line) => `tunnel: ${line}`),
  });
}
