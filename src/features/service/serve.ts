import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { cannotListen } from '../../errors/cannot-listen.ts';
import { messageOf } from '../../errors/command.ts';
import { ConnectionLimit } from '../../platform/connection-limit.ts';
import { requestTarget } from '../../platform/request-target.ts';
import { startServer } from '../../platform/start-server.ts';
import type { Report } from './checks.ts';
import type { Metrics } from './metrics.ts';

/** The sources of the server's replies. */
export interface Answers {
  readonly metrics: Metrics;
  readonly live: () => Promise<Report>;
  /** @param excluded names of checks that the sender of the request excludes. */
  readonly ready: (excluded: readonly string[]) => Promise<Report>;
}

export interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  /** The permitted methods, if the method of the request is not permitted. */
  readonly allow?: string;
}

const json = 'application/json; charset=utf-8';
const listenHints = {
  otherPort: 'choose another port with --metrics-port; 0 selects a free port',
  otherHost: 'use an address of this machine with --metrics-host',
};
const limits = {
  headersTimeout: 3000,
  requestTimeout: 5000,
  connectionsCheckingInterval: 500,
  maxHeaderSize: 16 * 1024,
};
/** This limit is higher than monitoring systems need, and low enough to protect the process. */
const maxConnections = 64;

/** Serves /metrics, /livez and /readyz. @param warn reports once that connections cannot be accepted. @throws {CommandError} `cannot_listen` (exit 12). */
export async function serveMetrics(
  host: string,
  port: number,
  answers: Answers,
  warn: (problem: string) => void,
): Promise<MetricsServer> {
  const server = createServer(limits, (request, response) => {
    answer(request, answers).then(
      (reply) => send(response, reply, request.method === 'HEAD'),
      (error: unknown) =>
        send(response, { status: 500, type: json, body: JSON.stringify({ error: messageOf(error) }) }, false),
    );
  });
  const connections = new ConnectionLimit(maxConnections);
  server.on('connection', (socket: Socket) => connections.add(socket));
  await startServer(server, { host, port }, (problem) => warn(`metrics: ${problem}`)).catch(
    (cause: unknown) => {
      throw cannotListen({ host, port, cause }, listenHints, 'metrics: ');
    },
  );
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer({ method, url }: IncomingMessage, { metrics, live, ready }: Answers): Promise<Reply> {
  if (method !== 'GET' && method !== 'HEAD')
    return { status: 405, type: json, body: JSON.stringify({ error: 'use GET' }), allow: 'GET, HEAD' };
  const { pathname, searchParams } = requestTarget(url);
  if (pathname === '/metrics') return { status: 200, type: metrics.contentType, body: await metrics.text() };
  if (pathname === '/livez') return reportReply(await live());
  if (pathname === '/readyz') return reportReply(await ready(searchParams.getAll('exclude')));
  return { status: 404, type: json, body: JSON.stringify({ paths: ['/metrics', '/livez', '/readyz'] }) };
}

function reportReply(report: Report): Reply {
  return { status: report.status === 'ok' ? 200 : 503, type: json, body: `${JSON.stringify(report)}\n` };
}

function send(response: ServerResponse, { status, type, body, allow }: Reply, isHead: boolean): void {
  if (response.destroyed) return;
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(allow !== undefined && { allow }),
  });
  response.end(isHead ? undefined : body);
}
