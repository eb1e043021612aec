import type { CallLogRecord } from '../../../contract/call-log.ts';
import { parseJson } from '../../../platform/json.ts';
import type { Postgres, Transaction } from '../../../platform/postgres/postgres.ts';
import { storeLock } from '../../../platform/postgres/store-lock.ts';
import { StoreError } from '../../../platform/store-error.ts';
import type {
  CallCounts,
  CallFilter,
  CallStore,
  CallStream,
  CopiedCalls,
  KnownExtension,
} from '../../../store/call-store.ts';
import { callColumns, prepareCall, startTime } from '../calls/call-table.ts';
import { copiedCallsOf, copiedCallsSql, type CopiedCallsRow } from '../calls/stream-row.ts';
import { OvertakenError, PositionChangedError } from '../overtaken.ts';
import { bindAccount } from './account.ts';
import type { CommitGuard } from './apply.ts';
import { inOrder, type PageCall, storable } from './call-page.ts';
import { copyIn, type CopyValue } from './copy-in.ts';
import {
  callType,
  erasureLock,
  exclusionCheck,
  type Exclusions,
  isErasedOf,
  readExclusions,
} from './exclusions.ts';
import {
  allTimes,
  isSamePosition,
  savePosition,
  type StoredPosition,
  streamOf,
  type Times,
  waitOf,
} from './call-position.ts';
import { readRows } from './rows.ts';

const recordColumns = ['record_id', ...Object.keys(callColumns), 'legs'];
const readers = Object.values(callColumns);
const updatable = recordColumns.slice(1);
/** The stage of a connection, which is empty outside of a transaction. */
const createStage = `create temporary table if not exists stage_call on commit delete rows as
  select * from call_record with no data`;
const involved = `position(' ' || $1 || ' ' in numbers) > 0`;

/** Changes the calls of the archive whose staged record is not older. */
const mergeSql = `
with decided as (
  select stage_call.*, known.pk as known,
    known.raw <> stage_call.raw
      and coalesce(known.last_modified_time, '') <= coalesce(stage_call.last_modified_time, known.last_modified_time, '') as is_change
  from stage_call join call_record as known on known.scope = $1 and known.record_id = stage_call.record_id
), changed as (
  update call_record set ${updatable.map((name) => `${name} = decided.${name}`).join(', ')}
  from decided where call_record.pk = decided.known and is_change
)
select count(*) filter (where is_change)::int as changed, count(*) filter (where not is_change)::int as unchanged from decided`;

/** Calls in a PostgreSQL database. */
export class PostgresCalls implements CallStore {
  readonly #db: Postgres;
  readonly #guard: CommitGuard | undefined;
  /** The exclusions at the time of the previous page. Each transaction checks whether they changed. */
  #exclusions: Exclusions | undefined;
  /** The account that this process has checked. */
  #owner: string | undefined;
  /** The position of each scope that this process read or stored last. */
  readonly #positions = new Map<string, CallStream | undefined>();

  constructor(db: Postgres, guard?: CommitGuard) {
    this.#db = db;
    this.#guard = guard;
  }

  /** The tables are part of the schema of the store. */
  prepare(): Promise<void> {
    return Promise.resolve();
  }

  async stream(scope: string): Promise<CallStream | undefined> {
    const [row] = await this.#db.query<StoredPosition>('select * from call_stream where scope = $1', [scope]);
    const stream = row && streamOf(row);
    this.#positions.set(scope, stream);
    return stream;
  }

  async apply(
    scope: string,
    records: readonly CallLogRecord[],
    stream: CallStream,
    isErased: (numbers: readonly string[]) => boolean,
  ): Promise<CallCounts> {
    let isTimeKnown = true;
    for (let attempt = 1; ; attempt += 1) {
      this.#exclusions ??= await readExclusions(this.#db);
      const exclusions = this.#exclusions;
      const isErasedNow = isErasedOf(exclusions);
      const isExcluded = exclusionCheck(exclusions, (numbers) => isErased(numbers) || isErasedNow(numbers));
      const hasRule = exclusions.expiredBefore.has(callType);
      const { pageCalls, erased } = storable(records, ({ startTime: at, extension }, numbers) => {
        const extensionId = extension?.id === undefined ? undefined : String(extension.id);
        // The time is converted only if calls have a rule.
        const time = hasRule ? new Date(at).toISOString() : '';
        return isExcluded({ type: callType, time, extensionId, numbers });
      });
      const calls = inOrder([...pageCalls]);
      const times = isTimeKnown ? timesOf(calls) : allTimes;
      try {
        const counts = await this.#db.session((session) =>
          this.#store(session, { calls, times, exclusions, scope, stream }),
        );
        if (counts) return { received: records.length, erased, ...counts };
        this.#exclusions = undefined;
      } catch (error) {
        if (!isTimeKnown || !isDuplicate(error)) throw error;
        // The archive has a call of this page with another start time.
        isTimeKnown = false;
      }
      if (attempt === mostAttempts) throw new OvertakenError('a part of the call log', 'data was erased');
    }
  }

  /**
   * Stores a page in one transaction. Returns undefined, and stores nothing, if data was erased since the calls were
   * checked.
   */
  async #store(
    session: Transaction,
    { calls, times, exclusions, scope, stream }: StagedPage,
  ): Promise<PageCounts | undefined> {
    const position = this.#positions.get(scope);
    const wait = waitOf(stream, isSamePosition(position, stream));
    await session.script(`begin; ${callsLock}; ${erasureLock}${wait}`);
    try {
      await this.#guard?.(session);
      const page = { scope, stream, ids: calls.map(([id]) => id), times };
      const { before, state, known } = await savePosition(session, page);
      if (this.#positions.has(scope) && !isSamePosition(before, position)) {
        // The server may also have lost the account.
        this.#owner = undefined;
        throw new PositionChangedError();
      }
      if (state !== exclusions.state) {
        await session.script('rollback');
        return undefined;
      }
      if (stream.owner !== this.#owner)
        await bindAccount(session, /\/account\/(\d+)/.exec(stream.owner ?? '')?.[1]);
      const isKnown = ([id]: PageCall): boolean => known.has(id);
      const added = calls.filter((one) => !isKnown(one));
      // New calls need no comparison: COPY stores them directly. The lock prevents that another process adds them.
      await this.#copy(session, 'call_record', added, scope);
      const counts = await this.#merge(session, scope, calls.filter(isKnown));
      await session.script('commit');
      this.#owner = stream.owner;
      this.#positions.set(scope, stream);
      return { ...counts, added: added.length };
    } catch (error) {
      await session.script('rollback').catch(() => undefined);
      throw error;
    }
  }

  /** Compares calls with the calls of the archive, and stores the changes. */
  async #merge(
    session: Transaction,
    scope: string,
    calls: readonly PageCall[],
  ): Promise<Pick<PageCounts, 'changed' | 'unchanged'>> {
    if (calls.length === 0) return { changed: 0, unchanged: 0 };
    await session.script(createStage);
    await this.#copy(session, 'stage_call', calls, scope);
    const [counts] = await session.query<Pick<PageCounts, 'changed' | 'unchanged'>>(mergeSql, [scope]);
    return counts ?? { changed: 0, unchanged: 0 };
  }

  async #copy(session: Transaction, table: string, calls: readonly PageCall[], scope: string): Promise<void> {
    if (calls.length === 0) return;
    const { place } = this.#db.settings;
    await copyIn(session, { table, columns: ['scope', ...recordColumns], place }, rowsOf(calls, scope));
  }

  async unfinished(scope: string, from: number, before: number): Promise<readonly string[]> {
    const rows = await this.#db.query<{ id: string }>(
      'select record_id as id from call_record where scope = $1 and unfinished = 1 and start_time >= $2 and start_time < $3 order by record_id',
      [scope, new Date(from).toISOString(), new Date(before).toISOString()],
    );
    return rows.map(({ id }) => id);
  }

  async *calls(filter: CallFilter): AsyncGenerator<CallLogRecord, void, undefined> {
    const { scope, from, to, direction = [], type = [] } = filter;
    const sql = `select raw from call_record where scope = $1 and start_time between $2 and $3
      and (cardinality($4::text[]) = 0 or direction = any($4)) and (cardinality($5::text[]) = 0 or type = any($5))
      order by start_time desc, record_id`;
    const values = [scope, new Date(from).toISOString(), new Date(to).toISOString(), direction, type];
    for await (const { raw } of readRows<{ raw: string }>(this.#db, sql, values)) {
      yield parseJson(raw) as CallLogRecord;
    }
  }

  /** The extensions are ordered, so that two machines cannot wait for each other. A page of the list may repeat one. */
  async saveExtensions(extensions: readonly KnownExtension[]): Promise<void> {
    await this.#db.run(
      `insert into call_extension as known (extension_id, extension_number, name, type)
       select distinct on (id) id, number, name, type
       from unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality as given (id, number, name, type, place)
       order by id, place desc
       on conflict (extension_id) do update set extension_number = excluded.extension_number, name = excluded.name, type = excluded.type
       where (known.extension_number, known.name, known.type) is distinct from (excluded.extension_number, excluded.name, excluded.type)`,
      [
        extensions.map(({ id }) => id),
        extensions.map(({ extensionNumber }) => extensionNumber ?? null),
        extensions.map(({ name }) => name),
        extensions.map(({ type }) => type),
      ],
    );
  }

  async extensions(): Promise<readonly KnownExtension[]> {
    const rows = await this.#db.query<KnownExtension & { readonly extensionNumber: string | null }>(
      'select extension_id as id, extension_number as "extensionNumber", name, type from call_extension order by extension_id',
    );
    return rows.map((row) => Object.assign(row, { extensionNumber: row.extensionNumber ?? undefined }));
  }

  async status(now: number): Promise<readonly CopiedCalls[]> {
    return (await this.#db.query<CopiedCallsRow>(copiedCallsSql)).map((row) => copiedCallsOf(row, now));
  }

  async callsOf(number: string): Promise<number> {
    const sql = `select count(*) as calls from call_record where ${involved}`;
    const [row] = await this.#db.query<{ calls: number }>(sql, [number]);
    return row?.calls ?? 0;
  }
}

/** Yields the rows of calls for COPY, computed while the server stores earlier rows. */
function* rowsOf(
  calls: readonly PageCall[],
  scope: string,
): Generator<readonly CopyValue[], void, undefined> {
  for (const [id, { record, numbers }] of calls) {
    const call = prepareCall(record, numbers);
    yield [scope, id, ...readers.map((read) => read(call)), record.legs?.length ?? null];
  }
}

/** The times of calls that are ordered by time. */
function timesOf(calls: readonly PageCall[]): Times {
  const timeOf = (call: PageCall | undefined): string => (call ? startTime(call[1].record) : '');
  return { first: timeOf(calls[0]), last: timeOf(calls.at(-1)) };
}

/** Whether COPY found a call that the archive already has. */
function isDuplicate(error: unknown): boolean {
  return error instanceof StoreError && error.sqlState === '23505';
}

/** One process at a time stores calls. */
const callsLock = storeLock("'calls'");

/** Maximum number of attempts to store a page while other processes erase data. */
const mostAttempts = 5;

type PageCounts = Pick<CallCounts, 'added' | 'changed' | 'unchanged'>;

/** A page of calls that were checked against the exclusions. */
interface StagedPage {
  readonly calls: readonly PageCall[];
  readonly times: Times;
  readonly exclusions: Exclusions;
  readonly scope: string;
  readonly stream: CallStream;
}
