import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sendText } from '../commands/webhook/listening.ts';
import { pathsIn } from '../support/paths.ts';
import type { Call } from './cases.ts';
import { eventually } from '../support/eventually.ts';

type How = NonNullable<Call['how']>;

/** Maximum number of waits of a command that is to write lines. */
const mostWaits = 200;

/**
 * Runs a command that never ends until it has written this many lines on stdout, or the last message of a board on
 * stderr.
 */
export function untilSaid(lines: number): How {
  return async (desk, argv, options) => {
    const stop = new AbortController();
    let said = 0;
    let waits = 0;
    const count = (text: string): void => {
      said += text.split('\n').length - 1;
      if (said >= lines) stop.abort(new Error('enough'));
    };
    const sleep = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
      waits += 1;
      // A board reports a failure once, and says nothing more.
      if (waits > mostWaits) stop.abort(new Error('it says nothing more'));
      signal.throwIfAborted();
      await desk.sandbox.clock.advance(milliseconds);
    };
    return desk.run(argv, { ...options, signal: stop.signal, sleep, onStdout: count, onStderr: count });
  };
}

/** The same with separate folders for its state. */
export function apart(how: How): How {
  return (desk, argv, options) => how(desk, argv, { ...options, paths: pathsIn(join(desk.cwd, 'apart')) });
}

/** While a command listens, no timer is due: it waits until it is stopped. */
function untilAborted(_milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((_, reject) => {
    const end = (): void => reject(signal.reason as Error);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

let files = 0;

/**
 * Runs a listener until it has shown the text that is sent once it is ready; the arguments must contain `--count 1`.
 */
export const oneText: How = async (desk, argv, options) => {
  files += 1;
  const file = join(desk.cwd, `ready-${files}.json`);
  const result = desk.run([...argv, '--ready-file', file], { ...options, sleep: untilAborted });
  const early = result.then(({ exit, stderr }) => {
    throw new Error(`ended with ${exit} before it was ready: ${stderr}`);
  });
  await Promise.race([early, eventually(() => readFile(file, 'utf8'))]);
  early.catch(() => undefined);
  await desk.run(sendText);
  return result;
};

let shared: Promise<string> | undefined;

/** A receiver of events that accepts everything, as the service requires. */
export function receiver(): Promise<string> {
  return (shared ??= openReceiver());
}

async function openReceiver(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    const token = request.headers['validation-token'];
    if (typeof token === 'string') response.setHeader('Validation-Token', token);
    response.setHeader('Content-Type', 'application/json');
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`;
}
