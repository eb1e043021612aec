import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { stringifyJson } from '../../../platform/json.ts';
import { InspectApi, type InspectSettings } from './api.ts';
import { pageHeaders, rejection } from './guard.ts';
import { page } from './page.ts';
import { script } from './page-script.ts';
import { style } from './page-style.ts';

export interface Inspector {
  /** Address of the page. The token of this run follows `#`, which browsers do not send. */
  readonly url: string;
  close(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly type?: string;
  readonly body?: string;
}

const files: Readonly<Record<string, Reply>> = {
  '/': { status: 200, type: 'text/html; charset=utf-8', body: page },
  '/page.js': { status: 200, type: 'text/javascript; charset=utf-8', body: script },
  '/page.css': { status: 200, type: 'text/css; charset=utf-8', body: style },
  '/favicon.ico': { status: 204 },
};
/** Maximum size of an edited event in bytes. */
const maxBodyBytes = 2 * 1024 * 1024;

/** Serves the inspector page of a receiver on 127.0.0.1. @throws the system's error if the port cannot be opened. */
export async function startInspector(settings: InspectSettings): Promise<Inspector> {
  const api = new InspectApi(settings);
  const token = randomBytes(24).toString('base64url');
  const end = new AbortController();
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    const disconnected = new AbortController();
    response.once('close', () => disconnected.abort());
    const signal = AbortSignal.any([end.signal, disconnected.signal]);
    answer(request, api, rejection(request, port, token), signal).then(
      (reply) => send(response, reply),
      () => send(response, { status: 500 }),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0 }, resolve);
  });
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
  api: InspectApi,
  rejected: number | undefined,
  signal: AbortSignal,
): Promise<Reply> {
  if (rejected !== undefined) return { status: rejected };
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
  if (request.method === 'POST')
    return pathname === '/api/replay' ? replay(request, api, signal) : { status: 404 };
  if (request.method !== 'GET') return { status: 405 };
  if (pathname === '/api/events') {
    const filter = { text: searchParams.get('text') ?? '', kind: searchParams.get('kind') ?? '' };
    const after = searchParams.get('after');
    return asJson(after === null ? api.newest(filter) : await api.poll(Number(after), filter, signal));
  }
  const id = /^\/api\/events\/(\d+)$/.exec(pathname)?.[1];
  if (id !== undefined) {
    const detail = api.detail(Number(id));
    return detail ? asJson(detail) : { status: 404 };
  }
  return (Object.hasOwn(files, pathname) ? files[pathname] : undefined) ?? { status: 404 };
}

async function replay(request: IncomingMessage, api: InspectApi, signal: AbortSignal): Promise<Reply> {
  if (Number(request.headers['content-length'] ?? Number.NaN) <= maxBodyBytes) {
    const body: unknown = await json(request).catch(() => undefined);
    if (isReplay(body)) {
      try {
        const replayed = await api.replay(body.id, body.url, body.text, signal);
        return replayed ? asJson(replayed) : { status: 404 };
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        return asJson({ isDelivered: false, problem: error.message, milliseconds: 0 });
      }
    }
  }
  return { status: 400 };
}

interface ReplayRequest {
  readonly id: number;
  readonly url: string;
  readonly text?: string;
}

function isReplay(value: unknown): value is ReplayRequest {
  if (typeof value !== 'object' || value === null) return false;
  const { id, url, text } = value as Partial<Record<keyof ReplayRequest, unknown>>;
  return (
    typeof id === 'number' && typeof url === 'string' && (text === undefined || typeof text === 'string')
  );
}

function asJson(value: object): Reply {
  return { status: 200, type: 'application/json; charset=utf-8', body: stringifyJson(value) };
}

function send(response: ServerResponse, { status, type, body = '' }: Reply): void {
  if (response.destroyed) return;
  response.writeHead(status, {
    ...pageHeaders,
    ...(type !== undefined && { 'content-type': type }),
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}
