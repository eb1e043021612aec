import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Queries } from '../../src/platform/postgres/postgres.ts';
import { connectStore, Postgres } from '../../src/store/index.ts';
import { Dice } from '../../test/support/dice.ts';

/** Creates the table in which the program stores what it processed. */
export async function createProcessed(db: Postgres): Promise<void> {
  await db.script(
    'create table processed (place bigint generated always as identity, consumer text, event_id bigint, lane text, attempt int)',
  );
}

/** The program of a user. */
interface Program {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts a program that stores each event in the database of the store, and sometimes fails to answer after its commit.
 * @param isFenced whether it calls `event_done` in the transaction of its data. Otherwise it commits, and answers after
 * the rest of its work.
 * @param workMilliseconds maximum time that it takes for one event, so that kills and stalls occur within its transactions.
 */
export async function startProgram(
  store: string,
  isFenced: boolean,
  workMilliseconds: number,
): Promise<Program> {
  const own = connectStore({ url: store, source: 'the proof', env: {} });
  const db = new Postgres(own.settings, { poolSize: 40 });
  await own.close();
  const dice = new Dice(7);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    request.resume();
    await once(request, 'end');
    const work = dice.next() * workMilliseconds;
    await db.transaction(async (transaction) => {
      await insert(transaction, request);
      if (!isFenced) return;
      await pause(work);
      await done(transaction, request);
    });
    if (!isFenced) await pause(work);
    // A reply may be lost after the commit.
    if (dice.chance(0.05)) response.destroy();
    else response.end();
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(503).end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await db.close();
    },
  };
}

function header({ headers }: IncomingMessage, name: string): string {
  return String(headers[`ucctl-${name}`]);
}

async function insert(transaction: Queries, request: IncomingMessage): Promise<void> {
  await transaction.run(
    `insert into processed (consumer, event_id, lane, attempt) select $3, id, lane, $2::text::int from event where id = $1::text::bigint`,
    [header(request, 'delivery'), header(request, 'attempt'), header(request, 'consumer')],
  );
}

/** @throws if another process has taken over the event. */
async function done(transaction: Queries, request: IncomingMessage): Promise<void> {
  const [row] = await transaction.query<{ done: boolean }>(
    'select event_done($1, $2::text::bigint, $3::text::bigint) as done',
    [header(request, 'consumer'), header(request, 'delivery'), header(request, 'fence')],
  );
  if (!row?.done) throw new Error('another process has taken over');
}

/** What the program processed of the events in the log. */
export interface Processed {
  readonly events: number;
  readonly lost: number;
  readonly doubled: number;
  readonly disordered: number;
  /** Events with more than one attempt. */
  readonly repeated: number;
}

export async function processedOf(db: Queries, consumer: string): Promise<Processed> {
  const [row] = await db.query<Processed>(
    `with own as (select * from processed where consumer = $1)
     select (select count(*) from event) as events,
      (select count(*) from event where id not in (select event_id from own)) as lost,
      (select count(*) - count(distinct event_id) from own) as doubled,
      (select count(*) from (select event_id < lag(event_id) over (partition by lane order by place) as is_late from own) as rows
        where is_late) as disordered,
      (select count(*) from own where attempt > 1) as repeated`,
    [consumer],
  );
  return row ?? { events: 0, lost: -1, doubled: -1, disordered: -1, repeated: -1 };
}
