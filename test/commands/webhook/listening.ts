import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import { createUndiciHttp } from '../../../src/client/undici-http.ts';
import type { RunOptions, RunResult } from '../../support/run-ucctl.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { openOffice, type Office } from '../office.ts';
import { eventually } from '../../support/eventually.ts';

export interface Ready {
  readonly url: string | null;
  readonly address: string;
  readonly subscriptionId: string | null;
  readonly eventFilters: readonly string[];
  readonly pid: number;
}

export interface Listening {
  readonly ready: Ready;
  readonly readyFile: string;
  readonly result: Promise<RunResult>;
  /** As Ctrl-C does. */
  readonly interrupt: () => void;
  /** Events shown so far. */
  readonly shown: () => readonly Shown[];
}

export interface Shown {
  readonly uuid: string;
  readonly event: string;
  readonly recovered?: boolean;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Starts a live command and waits until it says in its file that it is ready. */
export async function live(
  office: Pick<Office, 'run'>,
  command: string,
  options: RunOptions = {},
): Promise<Listening> {
  const file = join(temporaryFolder(), 'ready.json');
  const stop = new AbortController();
  const pieces: string[] = [];
  const result = office.run(`${command} --ready-file ${file}`, {
    signal: stop.signal,
    onStdout: (piece) => {
      pieces.push(piece);
    },
    ...options,
  });
  onTestFinished(async () => {
    stop.abort(new Error('the test is over'));
    await result;
  });
  const failed = result.then(({ exit, stderr }) => {
    throw new Error(`ended with ${exit} before it was ready: ${stderr}`);
  });
  const ready = await Promise.race([
    failed,
    eventually(async () => JSON.parse(await readFile(file, 'utf8')) as Ready),
  ]);
  failed.catch(() => undefined);
  const shown = () => eventsIn(pieces.join(''));
  return { ready, readyFile: file, result, interrupt: () => stop.abort(new Error('interrupted')), shown };
}

/** NDJSON as records. */
export function eventsIn(stdout: string): readonly Shown[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Shown);
}

export interface Target {
  readonly url: string;
  readonly requests: { readonly headers: IncomingHttpHeaders; readonly body: string }[];
  /** Status of the next answers; 200 when there is none left. */
  readonly statuses: number[];
}

/** A target of forwarded events. */
export async function openTarget(): Promise<Target> {
  const requests: Target['requests'] = [];
  const statuses: number[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    requests.push({ headers: request.headers, body: await text(request) });
    response.statusCode = statuses.shift() ?? 200;
    response.end();
  };
  const server = createServer((request, response) => {
    void answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`, requests, statuses };
}

/** An office whose network also reaches other servers of this machine. */
export async function connectedOffice(who?: string): Promise<Office> {
  const network = createUndiciHttp();
  onTestFinished(() => network.close());
  const around =
    (toSandbox: HttpSend): HttpSend =>
    (request) =>
      request.url.host === office.url ? toSandbox(request) : network.send(request);
  const office = { url: '' };
  const opened = await openOffice(who, around);
  office.url = new URL(opened.sandbox.url).host;
  return opened;
}

/** A text from the signed-in person to someone outside. */
export const sendText = ['sms', 'send', '--to', '+16505550112', 'hello', '--yes'];
