import { randomBytes } from 'node:crypto';
import { createConnection } from 'node:net';
import { onTestFinished } from 'vitest';
import { connectStore, initializeStore, type Migration, type Postgres } from '../../src/store/index.ts';
import { postgresPrograms, starterVariable } from './postgres-programs.ts';
import { unlessRequired } from './required.ts';
import { giveBack, noteInitialized, takeIdle, type IdleStore, type StoreKind } from './store-pool.ts';

/** Why tests with PostgreSQL cannot run here; undefined when they can. */
export function postgresMissing(): string | undefined {
  const found = process.env['UCCTL_TEST_POSTGRES'] || postgresPrograms();
  return unlessRequired(
    'postgres',
    found === undefined
      ? 'not installed: package postgresql; or name a server: UCCTL_TEST_POSTGRES=postgres://USER@HOST:PORT/DATABASE'
      : undefined,
  );
}

let known: Promise<string> | undefined;

/** The address of the server of this run, with a database. It starts at the first call. */
export function postgresServer(): Promise<string> {
  return (known ??= findServer());
}

async function findServer(): Promise<string> {
  const given = process.env['UCCTL_TEST_POSTGRES'];
  if (given) return given;
  const socket = process.env[starterVariable];
  if (socket === undefined) throw new Error('the run of the tests has no starter of PostgreSQL');
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    createConnection(socket)
      .setEncoding('utf8')
      .on('data', (piece: string) => {
        text += piece;
      })
      .on('error', reject)
      .on('close', () => resolve(text.trim()));
  });
  if (!line.startsWith('postgres://')) throw new Error(line || 'PostgreSQL did not start');
  return `${line}/postgres`;
}

let shared: Promise<Postgres> | undefined;

/**
 * Connections of this worker that create, empty and remove stores. A new connection takes ten times the processor
 * time of such statements. They do not keep the process running.
 */
function worker(): Promise<Postgres> {
  return (shared ??= postgresServer().then((url) => connectStore({ url, source: 'the tests', env: {} })));
}

/** A store of this test in a schema of its own. */
export interface TestStore {
  /** The address for `--store` or UCCTL_STORE. */
  readonly url: string;
  readonly schema: string;
  /** A pool for the statements of the test, which connects at the first of them. */
  readonly db: Postgres;
}

/** Registers work for the end of the use of a store. */
type AtEnd = (work: () => Promise<void>) => void;

/** The address of a schema that does not exist yet, and is removed afterwards; by default after the test. */
export async function emptyStore(atEnd: AtEnd = onTestFinished): Promise<TestStore> {
  const store = await openSchema();
  atEnd(() => removeStore(store));
  return store;
}

/**
 * An initialized store, without roles unless the test names some. With all migrations, tests of a worker use the same
 * stores one after the other.
 */
export async function testStore(
  migrations?: readonly Migration[],
  atEnd: AtEnd = onTestFinished,
): Promise<TestStore> {
  if (migrations === undefined && isServerOfRun()) return sharedStore('plain', atEnd);
  const store = await emptyStore(atEnd);
  await initializeStore(store.db, {}, ...(migrations ? [migrations] : []));
  return store;
}

/** A store that is initialized with all migrations, and the function that sets its clock (`storeClock`). */
export async function clockStore(
  start: number,
  atEnd: AtEnd = onTestFinished,
): Promise<TestStore & { readonly setClock: SetClock }> {
  if (!isServerOfRun()) {
    const store = await testStore(undefined, atEnd);
    return { ...store, setClock: await storeClock(store.db, start) };
  }
  const store = await sharedStore('clock', atEnd);
  const setClock = clockOf(store.db);
  await setClock(start);
  return { ...store, setClock };
}

/** The server of the run is removed with its stores. Any other server must not retain any. */
function isServerOfRun(): boolean {
  return !process.env['UCCTL_TEST_POSTGRES'];
}

async function sharedStore(kind: StoreKind, atEnd: AtEnd): Promise<TestStore> {
  const store = await openSchema();
  const { db, schema } = store;
  let known: IdleStore | undefined;
  atEnd(async () => {
    await db.close();
    if (known === undefined || !(await giveBack(await worker(), known))) await removeStore(store);
  });
  known = await takeIdle(await worker(), kind, schema);
  if (known === undefined) {
    await initializeStore(db, {});
    if (kind === 'clock') await storeClock(db, 0);
    known = await noteInitialized(await worker(), kind, schema);
  }
  return store;
}

async function openSchema(): Promise<TestStore> {
  const schema = `t_${randomBytes(6).toString('hex')}`;
  const url = withSchema(await postgresServer(), schema);
  return { url, schema, db: connectStore({ url, source: 'the test', env: {} }) };
}

async function removeStore({ db, schema }: TestStore): Promise<void> {
  await db.close();
  await (await worker()).script(`drop schema if exists "${schema}" cascade`);
}

/** Sets the clock of a store to a time in milliseconds since 1970. */
type SetClock = (milliseconds: number) => Promise<void>;

/**
 * Replaces the clock of the store. Every machine that uses the store sees the time that the returned function sets. The
 * store cannot be used again; a test that needs a clock from the beginning uses `clockStore`.
 */
export async function storeClock(db: Postgres, start: number): Promise<SetClock> {
  await db.script(`create table test_clock (at timestamptz not null); insert into test_clock values (to_timestamp(${start / 1000}));
    create or replace function store_now() returns timestamptz language sql volatile as 'select at from test_clock'`);
  return clockOf(db);
}

function clockOf(db: Postgres): SetClock {
  return async (milliseconds) => {
    await db.run('update test_clock set at = to_timestamp($1::float8 / 1000)', [milliseconds]);
  };
}

/** The address with the name of a schema. */
function withSchema(url: string, schema: string): string {
  const address = new URL(url);
  address.searchParams.set('schema', schema);
  return address.href;
}
