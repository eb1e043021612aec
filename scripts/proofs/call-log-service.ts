import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A call of the service. Times are milliseconds since 1970. */
export interface ServedCall {
  readonly id: string;
  readonly startedAt: number;
  readonly changedAt: number;
  readonly result: string;
}

/** A service with calls only. */
export interface CallLogService {
  readonly url: string;
  /** Called for each request of a page. */
  onPage: () => void;
  close(): Promise<void>;
}

/**
 * Serves the call log of an account, latest call first, on loopback. Sends each page in pieces.
 * @param calls oldest first. The caller may change the list at any time.
 */
export async function serveCallLog(calls: readonly ServedCall[], accountId = '1'): Promise<CallLogService> {
  const service = { onPage: (): void => undefined };
  const pageOf = (query: URLSearchParams): readonly object[] => {
    const [from, to] = [Date.parse(query.get('dateFrom') ?? ''), Date.parse(query.get('dateTo') ?? '')];
    const wanted = calls.filter(({ startedAt }) => startedAt >= from && startedAt <= to);
    const [page, perPage] = [Number(query.get('page')), Number(query.get('perPage'))];
    return wanted
      .toReversed()
      .slice((page - 1) * perPage, page * perPage)
      .map((call) => recordOf(call, accountId));
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    response.setHeader('content-type', 'application/json');
    if (!url.pathname.endsWith('/call-log')) {
      response.end('{"records":[]}');
      return;
    }
    service.onPage();
    const body = Buffer.from(JSON.stringify({ records: pageOf(url.searchParams) }));
    const write = async (): Promise<void> => {
      for (let from = 0; from < body.length && !response.destroyed; from += 65_536) {
        response.write(body.subarray(from, from + 65_536));
        await pause(5);
      }
      response.end();
    };
    write().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return Object.assign(service, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

function recordOf({ id, startedAt, changedAt, result }: ServedCall, accountId: string): object {
  return {
    uri: `http://127.0.0.1/restapi/v1.0/account/${accountId}/call-log/${id}`,
    id,
    startTime: new Date(startedAt).toISOString(),
    sessionId: id,
    duration: 60,
    type: 'Voice',
    direction: 'Inbound',
    action: 'Phone Call',
    result,
    lastModifiedTime: new Date(changedAt).toISOString(),
    legs: [],
  };
}
