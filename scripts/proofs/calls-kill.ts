import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../src/platform/sqlite.ts';
import { startUcctl } from '../../test/support/process.ts';
import type { Result, Size } from './result.ts';

const sizes = { full: { kills: 100, calls: 20_000 }, reduced: { kills: 6, calls: 5000 } } as const;
const start = Date.UTC(2026, 0, 5, 9);
const account = '/restapi/v1.0/account/~';

/**
 * Ends `ucctl calllog sync` by SIGKILL at times spread over its pages. After each kill the local copy must be
 * consistent, and a final sync without a kill must store every call once, including calls that began in the meantime.
 */
export async function run(size: Size = 'full'): Promise<readonly Result[]> {
  const { kills, calls } = sizes[size];
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-proof-'));
  const log = await serveLog(calls);
  const tally = { landed: 0, damaged: 0, partial: 0 };
  try {
    let file = '';
    for (let round = 0; round < kills; round += 1) {
      // Every other kill uses a new copy: only a new copy reads several pages in sequence.
      if (round % 2 === 0) file = join(folder, `${round}.sqlite`);
      log.add();
      const { killed, rows, isWhole } = await sync(log, file, 1 + (round % 4));
      if (killed) tally.landed += 1;
      if (rows > 0) tally.partial += 1;
      if (!isWhole) tally.damaged += 1;
    }
    const last = await sync(log, file, undefined);
    const ids = new Set(last.ids);
    const lost = log.ids().filter((id) => !ids.has(id)).length;
    const doubled = last.ids.length - ids.size;
    return [
      {
        promise: 'a sync of the call log that is killed loses and duplicates no call',
        figure: `${tally.landed} kills, ${tally.partial} after which a part was stored: ${lost} of ${log.ids().length} lost, ${doubled} doubled, ${tally.damaged} damaged`,
        holds: tally.landed >= kills / 2 && tally.partial > 0 && lost + doubled + tally.damaged === 0,
      },
    ];
  } finally {
    await log.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Log {
  readonly url: string;
  /** A call that begins now. */
  add(): void;
  ids(): readonly string[];
  /** Receives the page number of each request. */
  onPage: (page: number) => void;
  close(): Promise<void>;
}

interface Ended {
  readonly killed: boolean;
  readonly isWhole: boolean;
  readonly rows: number;
  readonly ids: readonly string[];
}

/** A service with calls only, latest first, whose pages are sent in pieces. */
async function serveLog(count: number): Promise<Log> {
  const calls = Array.from({ length: count }, (_, index) => ({
    id: `c${index}`,
    startTime: new Date(start + index * 1000).toISOString(),
  }));
  const log = { onPage: (): void => undefined } as { onPage: Log['onPage'] };
  const pageOf = (query: URLSearchParams): readonly object[] => {
    const [from, to] = [Date.parse(query.get('dateFrom') ?? ''), Date.parse(query.get('dateTo') ?? '')];
    const wanted = calls.filter(
      ({ startTime }) => Date.parse(startTime) >= from && Date.parse(startTime) <= to,
    );
    const [page, perPage] = [Number(query.get('page')), Number(query.get('perPage'))];
    return wanted
      .toReversed()
      .slice((page - 1) * perPage, page * perPage)
      .map(({ id, startTime }) => ({
        uri: `http://127.0.0.1${account.replace('~', '1')}/call-log/${id}`,
        id,
        startTime,
        sessionId: id,
        duration: 60,
        type: 'Voice',
        direction: 'Inbound',
        action: 'Phone Call',
        result: 'Accepted',
        lastModifiedTime: startTime,
        legs: [],
      }));
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    response.setHeader('content-type', 'application/json');
    if (!url.pathname.endsWith('/call-log')) {
      response.end('{"records":[]}');
      return;
    }
    log.onPage(Number(url.searchParams.get('page')));
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
  return Object.assign(log, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: () =>
      void calls.push({
        id: `c${calls.length}`,
        startTime: new Date(start + calls.length * 1000).toISOString(),
      }),
    ids: () => calls.map(({ id }) => id),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

/** Runs the sync to its end, or kills it at the request for this page. */
async function sync(log: Log, file: string, killAtPage: number | undefined): Promise<Ended> {
  const { child, ended } = startUcctl(['calllog', 'sync', '--database', file], {
    env: { HOME: join(file, '..'), UCCTL_BASE_URL: log.url, UCCTL_TOKEN: 'token-of-the-proof' },
  });
  log.onPage = (page) => {
    if (page === killAtPage) child.kill('SIGKILL');
  };
  const { exit, signal, stderr } = await ended;
  if (signal === null && exit !== 0) throw new Error(`ucctl calllog sync: ${stderr}`);
  return { killed: signal === 'SIGKILL', ...examine(file) };
}

/** The calls in the copy at this moment. A copy that does not exist yet counts as consistent. */
function examine(file: string): Omit<Ended, 'killed'> {
  const db = openDatabase(file);
  try {
    const { integrity_check: check } = db.prepare('PRAGMA integrity_check').get() as {
      readonly integrity_check: string;
    };
    const isBegun =
      db.prepare("SELECT 1 AS n FROM sqlite_master WHERE name = 'call_record'").get() !== undefined;
    const rows = isBegun ? db.prepare('SELECT record_id AS id FROM call_record').all() : [];
    const ids = (rows as { readonly id: string }[]).map(({ id }) => id);
    return { isWhole: check === 'ok' && new Set(ids).size === ids.length, rows: ids.length, ids };
  } finally {
    db.close();
  }
}
