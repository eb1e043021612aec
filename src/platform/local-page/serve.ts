import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { DatabaseError } from '../database-error.ts';
import { stringifyJson } from '../json.ts';
import { readPackageFile } from '../package-file.ts';
import { requestTarget } from '../request-target.ts';
import { eitherSignal } from '../either-signal.ts';
import { startServer } from '../start-server.ts';
import { pageHeaders, rejection } from './guard.ts';
import { matchPath, PageContent, PageError, PageLines, type PageRoute } from './page-route.ts';
import { lookupTable } from '../lookup-table.ts';

export interface LocalPage {
  /** Address of the page. The token of this run follows `#`, which browsers do not send. */
  readonly url: string;
  close(): Promise<void>;
}

export interface LocalPageOptions {
  readonly routes: readonly PageRoute[];
  /** Local port; 0 for any free port. */
  readonly port?: number;
  /** Reports once that connections cannot be accepted. */
  readonly warn: (problem: string) => void;
}

/** The files of the page, with path, name below `dist/console` and content type. */
const files: Readonly<Record<string, readonly [name: string, type: string]>> = lookupTable({
  '/': ['profile.html', 'text/html; charset=utf-8'],
  '/console/profile.js': ['profile.js', 'text/javascript; charset=utf-8'],
  '/console/app.css': ['app.css', 'text/css; charset=utf-8'],
  '/console/icon.svg': ['icon.svg', 'image/svg+xml'],
});
/** Maximum size of the body of a request in bytes. */
const maxBodyBytes = 2 * 1024 * 1024;

interface Reply {
  readonly status: number;
  readonly type?: string;
  readonly body?: string | Uint8Array | PageLines;
}

/**
 * Serves the page of a profile on 127.0.0.1. Every request must have the page's own host and origin, and every request
 * other than for the files of the page the token of this run.
 * @throws the system's error if the port cannot be opened.
 */
export async function serveLocalPage({ routes, port = 0, warn }: LocalPageOptions): Promise<LocalPage> {
  const token = randomBytes(24).toString('base64url');
  const end = new AbortController();
  const server = createServer((request, response) => {
    const disconnected = new AbortController();
    const { signal, end: forget } = eitherSignal(end.signal, disconnected.signal);
    response.once('close', () => {
      disconnected.abort();
      forget();
    });
    const own = (server.address() as AddressInfo).port;
    const rejected = rejection(request, own, token);
    const reply =
      rejected === undefined ? answer(request, routes, signal) : Promise.resolve({ status: rejected });
    reply.then(
      (ready) => send(response, ready),
      (error: unknown) => send(response, failure(error)),
    );
  });
  await startServer(server, { host: '127.0.0.1', port }, warn);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/#${token}`,
    async close() {
      end.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  request: IncomingMessage,
  routes: readonly PageRoute[],
  signal: AbortSignal,
): Promise<Reply> {
  const { method } = request;
  if (method !== 'GET' && method !== 'POST') return { status: 405 };
  const { pathname, searchParams: query } = requestTarget(request.url);
  for (const route of routes) {
    const params = route.method === method ? matchPath(route.path, pathname) : undefined;
    if (!params) continue;
    const body = method === 'POST' ? await readBody(request) : undefined;
    return replyOf(await route.answer({ params, query, body, signal }));
  }
  return (method === 'GET' ? fileReply(pathname) : undefined) ?? { status: 404 };
}

/** @throws {PageError} 400 for a body that is too long, has no length, or is not JSON. */
async function readBody(request: IncomingMessage): Promise<unknown> {
  if (!(Number(request.headers['content-length'] ?? Number.NaN) <= maxBodyBytes))
    throw new PageError(400, `the body of the request must have at most ${maxBodyBytes} bytes`);
  try {
    return await json(request);
  } catch {
    throw new PageError(400, 'the body of the request is not JSON');
  }
}

function fileReply(path: string): Reply | undefined {
  // Browsers request this address on their own.
  if (path === '/favicon.ico') return { status: 204 };
  const file = files[path];
  if (!file) return undefined;
  const [name, type] = file;
  const body = readPackageFile(`console/${name}`);
  return body && { status: 200, type, body };
}

function replyOf(value: unknown): Reply {
  if (value instanceof PageContent) return { status: 200, type: value.type, body: value.bytes };
  if (value instanceof PageLines) return { status: 200, type: 'application/x-ndjson', body: value };
  return asJson(200, value);
}

function asJson(status: number, value: unknown): Reply {
  return { status, type: 'application/json; charset=utf-8', body: stringifyJson(value) };
}

function failure(error: unknown): Reply {
  if (error instanceof PageError)
    return asJson(error.status, { error: { message: error.message, ...error.details } });
  const message = error instanceof Error ? error.message : String(error);
  const hint = error instanceof DatabaseError ? { hint: error.hint } : {};
  return asJson(500, { error: { message, ...hint } });
}

function send(response: ServerResponse, { status, type, body = '' }: Reply): void {
  if (response.destroyed) return;
  const headers = { ...pageHeaders, ...(type !== undefined && { 'content-type': type }) };
  if (body instanceof PageLines) {
    response.writeHead(status, headers);
    void sendLines(response, body.lines);
    return;
  }
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

async function sendLines(response: ServerResponse, lines: AsyncIterable<string>): Promise<void> {
  try {
    for await (const line of lines) {
      if (response.destroyed) return;
      response.write(`${line}\n`);
    }
  } catch {
    // The page notices the end of the reply, and requests the lines again.
  }
  response.end();
}
