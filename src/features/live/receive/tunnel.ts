import type { ChildProcess } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { isLoopback } from '../../../platform/base-url.ts';
import { CommandError, Exit } from '../../../errors/command.ts';
import { terminateGroup, spawnGroup } from '../deliver/process-group.ts';
import { withoutSecrets } from '../../../platform/secret-environment.ts';

export interface TunnelSettings {
  /** Shell command that starts the tunnel; UCCTL_PORT contains the local port. */
  readonly command: string;
  readonly port: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Whether the tunnel may have a public http address. */
  readonly development: boolean;
  readonly signal: AbortSignal;
  /** Called once if an open tunnel ends by itself. */
  readonly onEnd: (error: CommandError) => void;
}

/** A program of the user that makes a port of this machine reachable. */
export interface Tunnel {
  /** Public address of the tunnel, without a path. */
  readonly url: URL;
  /** Terminates the program and its child processes. */
  close(): Promise<void>;
}

const timeoutMilliseconds = 30_000;
/** Number of output lines that an error shows. */
const maxOutputLines = 10;

/**
 * Starts the program and waits until it prints an address without a path.
 * @throws {CommandError} `tunnel_failed` (exit 12) if the program exits first, or prints no address within 30 s.
 */
export async function openTunnel(settings: TunnelSettings): Promise<Tunnel> {
  const { command, port, cwd, env, signal } = settings;
  signal.throwIfAborted();
  // The tunnel has its own process group, because Ctrl-C must not end it before the subscription is deleted.
  const child = spawnGroup(command, {
    cwd,
    env: { ...withoutSecrets(env), UCCTL_PORT: String(port) },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const output: string[] = [];
  let isClosing = false;
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, killed) =>
      resolve(code === null ? `was terminated by ${killed}` : `exited with code ${code}`),
    );
  });
  const close = async (): Promise<void> => {
    isClosing = true;
    await terminateGroup(child);
  };
  try {
    const url = await addressOf(child, settings, output, ended);
    void ended.then((how) => (isClosing ? undefined : settings.onEnd(failure(`the tunnel ${how}`, output))));
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
  output: string[],
  ended: Promise<string>,
): Promise<URL> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      clearTimeout(timer);
      reject(failure(why, output));
    };
    const timer = setTimeout(
      () => fail(`the tunnel printed no public address within ${timeoutMilliseconds / 1000} s`),
      timeoutMilliseconds,
    );
    const stop = (): void => fail('interrupted');
    settings.signal.addEventListener('abort', stop, { once: true });
    void ended.then((how) => fail(`the tunnel ${how} before it printed a public address`));
    const onLine = (line: string): void => {
      output.push(line);
      if (output.length > maxOutputLines) output.shift();
      const url = publicAddressIn(line, settings);
      if (!url) return;
      clearTimeout(timer);
      settings.signal.removeEventListener('abort', stop);
      resolve(url);
    };
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', lines(onLine));
  });
}

/** Longest incomplete line that is buffered, in UTF-16 code units. */
const maxLineLength = 10_000;

/** Splits a stream into lines, and passes each complete line to `onLine`. */
function lines(onLine: (line: string) => void): (piece: Buffer) => void {
  let rest = '';
  return (piece) => {
    const [last = '', ...whole] = (rest + piece.toString()).split('\n').reverse();
    rest = last.slice(-maxLineLength);
    for (const line of whole.reverse()) onLine(line);
  };
}

/**
 * Returns the first public address in a line. Ignores addresses with a path (such as a help page) and local addresses
 * (the target of the tunnel).
 */
function publicAddressIn(line: string, { development, port }: TunnelSettings): URL | undefined {
  for (const [found] of stripVTControlCharacters(line).matchAll(/https?:\/\/[^\s"'<>|]+/g)) {
    const text = found.replace(/[.,;)]+$/, '');
    if (!URL.canParse(text)) continue;
    const url = new URL(text);
    if (url.href !== `${url.origin}/`) continue;
    if (url.protocol === 'https:' && !isLoopback(url.hostname)) return url;
    if (development && url.port !== String(port)) return url;
  }
  return undefined;
}

function failure(message: string, output: readonly string[]): CommandError {
  return new CommandError('tunnel_failed', Exit.local, message, {
    hint: 'set UCCTL_PORT and run the tunnel command alone; it must print its public https address without a path',
    details: output.map((line) => `tunnel: ${line}`),
  });
}
