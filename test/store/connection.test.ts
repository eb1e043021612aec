import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PostgresEventLog } from '../../src/features/live/index.ts';
import { connectStore, type Postgres } from '../../src/store/index.ts';
import { eventually } from '../support/eventually.ts';
import { postgresMissing, testStore } from '../support/postgres.ts';
import { roleWith } from '../support/postgres-role.ts';
import { startPooler } from '../support/pooler.ts';

/** A store, and connections to it as a role with defaults. */
async function storeAs(defaults: Readonly<Record<string, string>>) {
  const { db, url } = await testStore();
  const role = await roleWith(url, defaults);
  const address = new URL(url);
  address.username = role;
  const own = connectStore({ url: address.href, source: 'the test', env: {} });
  onTestFinished(() => own.close());
  return { db, role, own };
}

/** A store on a server that treats each connection in this way. */
async function storeAt(onConnection: (socket: Socket) => void): Promise<Postgres> {
  const server = createServer(onConnection).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `postgres://ucctl@127.0.0.1:${(server.address() as AddressInfo).port}/ucctl`;
  const db = connectStore({ url, source: 'the test', env: {} });
  onTestFinished(() => db.close());
  return db;
}

const addBudget = "insert into budget (owner, grp, window_ms) values ('me', 'light', 60000)";
const event = { receiver: 'r', key: 'k', raw: '{}', origin: 'webhook', encrypted: false };

/** Ways to make a change. Each uses connections of its own kind. */
const changes = {
  'a statement': (db) => () => db.run(addBudget),
  'a transaction': (db) => () => db.transaction((transaction) => transaction.run(addBudget)),
  'an extra session': (db) => () => db.extraSession((session) => session.run(addBudget)),
  'the log of events': (db) => {
    const log = new PostgresEventLog(db);
    return () => log.append([event]);
  },
} as const satisfies Record<string, (db: Postgres) => () => Promise<unknown>>;

it('a connection starts without parameters that PgBouncer rejects', async () => {
  const starts: string[][] = [];
  const db = await storeAt((socket) => {
    socket.once('data', (packet) => {
      const texts = packet.subarray(8).toString('utf8').split('\0');
      starts.push(texts.filter((text, index) => index % 2 === 0 && text !== ''));
      socket.destroy();
    });
  });
  await expect(db.query('select 1')).rejects.toMatchObject({ code: 'store_connection_lost' });
  expect(starts).toEqual([['user', 'database', 'application_name', 'client_encoding']]);
});

/** A message of the protocol of PostgreSQL: its type, its length and its content. */
function message(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}

it('that the server ends while it is being opened fails, and does not end the process', async () => {
  const ready = message('Z', Buffer.from('I'));
  const end = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0'));
  const db = await storeAt((socket) => {
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', Buffer.alloc(4)), ready]));
      // The end arrives with the reply to the settings, when no statement is active any more.
      socket.once('data', () => socket.end(Buffer.concat([message('C', Buffer.from('SET\0')), ready, end])));
    });
  });
  await expect(db.query('select 1')).rejects.toMatchObject({ code: 'store_connection_lost' });
});

it.each([
  ['no such database: ucctl', 'store_database_missing'],
  ['no such user', 'store_password'],
  ['SASL authentication failed', 'store_password'],
  ['server login has been failing', 'store_connection_lost'],
])('that PgBouncer rejects with "%s" names the problem', async (text, code) => {
  const db = await storeAt((socket) => {
    socket.once('data', () => socket.end(message('E', Buffer.from(`SFATAL\0C08P01\0M${text}\0\0`))));
  });
  await expect(db.query('select 1')).rejects.toMatchObject({ code });
});

describe.skipIf(postgresMissing())('a connection to a store', () => {
  it.each(Object.entries(changes))('of a server that was read-only is not used again: %s', async (_, of) => {
    const { db, role, own } = await storeAs({ default_transaction_read_only: 'on' });
    const change = of(own);
    await expect(change()).rejects.toMatchObject({ code: 'store_read_only' });
    await db.script(`alter role "${role}" reset default_transaction_read_only`);
    await change();
  });

  it.each(['German', 'SQL, DMY', 'Postgres, DMY'])(
    'reads times if the server writes them as %s',
    async (style) => {
      const { own } = await storeAs({ DateStyle: style });
      const text = '2026-11-28T14:37:14.123Z';
      const sql = `select $1::text::timestamptz as at, '-infinity'::timestamptz is not null as known`;
      expect(await own.query(sql, [text])).toEqual([{ at: new Date(text), known: true }]);
    },
  );

  it('waits for locks whatever the default of its user is', async () => {
    const { db, role, own } = await storeAs({ lock_timeout: '1ms' });
    const change = await db.transaction(async (transaction) => {
      await transaction.run('lock table budget in exclusive mode');
      const waiting = own.run(addBudget);
      const blocked = "select from pg_stat_activity where usename = $1 and wait_event_type = 'Lock'";
      await Promise.race([
        waiting,
        eventually(async () => expect(await db.query(blocked, [role])).toHaveLength(1)),
      ]);
      return { waiting };
    });
    expect(await change.waiting).toBe(1);
  });

  it('has no other time limits than those of ucctl', async () => {
    const { db } = await testStore();
    const others = await db.query(
      "select name from pg_settings where name ~ '^(lock|idle_session|transaction)_timeout$' and source <> 'session'",
    );
    expect(others).toEqual([]);
  });

  it.each(Object.entries(changes))('through a pooler in transaction mode is not used: %s', async (_, of) => {
    const { url } = await testStore();
    const db = connectStore({ url: await startPooler(url, 'transaction'), source: 'the test', env: {} });
    onTestFinished(() => db.close());
    const change = of(db);
    for (let count = 0; count < 2; count += 1)
      await expect(change()).rejects.toMatchObject({ code: 'store_pooler', retryable: false });
  });

  it('through a pooler in transaction mode changes no settings of other programs', async () => {
    const { url } = await testStore();
    const pooler = new URL(await startPooler(url, 'transaction'));
    const db = connectStore({ url: pooler.href, source: 'the test', env: {} });
    onTestFinished(() => db.close());
    await expect(db.query('select 1')).rejects.toMatchObject({ code: 'store_pooler' });
    pooler.search = '';
    const other = new Client({ connectionString: pooler.href });
    await other.connect();
    onTestFinished(() => other.end());
    const { rows } = await other.query(
      `select name from pg_settings where source = 'session' and name in ('search_path', 'statement_timeout', 'TimeZone')`,
    );
    expect(rows).toEqual([]);
  });

  it.each(Object.entries(changes))('through a pooler in session mode is used: %s', async (_, of) => {
    const { url } = await testStore();
    const db = connectStore({ url: await startPooler(url, 'session'), source: 'the test', env: {} });
    onTestFinished(() => db.close());
    await expect(of(db)()).resolves.toBeDefined();
  });
});
