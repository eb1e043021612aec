import type { CallLogRecord } from '../../../contract/call-log.ts';
import { parseJson } from '../../../platform/json.ts';
import type { Postgres, Transaction } from '../../../platform/postgres/postgres.ts';
import type {
  CallCounts,
  CallFilter,
  CallStore,
  CallStream,
  KnownExtension,
} from '../../../store/call-store.ts';
import { callColumns, numbersOf, prepareCall } from '../calls/call-table.ts';
import { OvertakenError } from '../overtaken.ts';
import { bindAccount } from './account.ts';
import { copyIn, type CopyValue } from './copy-in.ts';
import { callType, type Exclusions, isCurrent, isErasedOf, isExpired, readExclusions } from './exclusions.ts';
import { readRows } from './rows.ts';
import type { ArchiveSchema } from './schema-steps.ts';

const recordColumns = ['record_id', ...Object.keys(callColumns), 'legs'];
const readers = Object.values(callColumns);
const updatable = recordColumns.slice(1);
const createStage = `create temporary table if not exists stage_call as
  select 0::bigint as ord, call_record.* from call_record with no data; truncate stage_call`;
const involved = `position(' ' || $1 || ' ' in numbers) > 0`;

/** Of two records with the same id, the one with the later `last_modified_time` is used; of equal times, the later one. */
const mergeSql = `
with record as (
  select distinct on (record_id) * from stage_call order by record_id, coalesce(last_modified_time, '') desc, ord desc
), decided as (
  select record.*, known.pk as known, case when known.pk is null then 'add'
    when known.raw = record.raw or coalesce(known.last_modified_time, '') > coalesce(record.last_modified_time, known.last_modified_time, '')
      then 'same' else 'change' end as decision
  from record left join call_record as known on known.scope = $1 and known.record_id = record.record_id
), changed as (
  update call_record set ${updatable.map((name) => `${name} = decided.${name}`).join(', ')}
  from decided where call_record.pk = decided.known and decision = 'change'
), added as (
  insert into call_record (scope, ${recordColumns.join(', ')}) select $1, ${recordColumns.join(', ')} from decided
  where decision = 'add' order by start_time
)
select count(*) filter (where decision = 'add')::int as added, count(*) filter (where decision = 'change')::int as changed,
  count(*) filter (where decision = 'same')::int as unchanged from decided`;

/** Calls in a PostgreSQL database. */
export class PostgresCalls implements CallStore {
  readonly #db: Postgres;
  readonly #schema: ArchiveSchema;

  constructor(db: Postgres, schema: ArchiveSchema) {
    this.#db = db;
    this.#schema = schema;
  }

  /** The tables are part of the schema of the store. */
  prepare(): Promise<void> {
    return Promise.resolve();
  }

  async stream(scope: string): Promise<CallStream | undefined> {
    const [row] = await this.#db.query<Readonly<Record<string, string | null>>>(
      'select * from call_stream where scope = $1',
      [scope],
    );
    if (!row) return undefined;
    const at = (name: string): number | undefined => {
      const text = row[name] ?? undefined;
      return text === undefined ? undefined : Date.parse(text);
    };
    const [from, to, target] = [at('pending_from'), at('pending_to'), at('pending_target')];
    return {
      owner: row['owner'] ?? undefined,
      dateFrom: at('date_from') ?? 0,
      completeTo: at('complete_to'),
      pending:
        from === undefined || to === undefined || target === undefined ? undefined : { from, to, target },
      syncedAt: row['synced_at'] ?? undefined,
    };
  }

  async apply(
    scope: string,
    records: readonly CallLogRecord[],
    stream: CallStream,
    isErased: (numbers: readonly string[]) => boolean,
  ): Promise<CallCounts> {
    for (let attempt = 1; ; attempt += 1) {
      const exclusions = await readExclusions(this.#db, this.#schema);
      const isErasedNow = isErasedOf(exclusions);
      const { rows, erased } = stagedRows(records, (record, numbers) => {
        const { startTime: time, extension } = record;
        const extensionId = extension?.id === undefined ? undefined : String(extension.id);
        return (
          isErased(numbers) ||
          isErasedNow(numbers) ||
          isExpired(exclusions, { type: callType, time: new Date(time).toISOString(), extensionId, numbers })
        );
      });
      const counts = await this.#db.session(async (session) => {
        if (rows.length > 0) await this.#stage(session, rows);
        return merge(session, { schema: this.#schema, exclusions }, scope, stream);
      });
      if (counts) return { received: records.length, erased, ...counts };
      if (attempt === mostAttempts) throw new OvertakenError('of calls', 'data was erased');
    }
  }

  async #stage(session: Transaction, rows: readonly (readonly CopyValue[])[]): Promise<void> {
    await session.script(createStage);
    const { place } = this.#db.settings;
    await copyIn(session, { table: 'stage_call', columns: ['ord', ...recordColumns], place }, rows);
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

  async saveExtensions(extensions: readonly KnownExtension[]): Promise<void> {
    await this.#db.run(
      `insert into call_extension as known (extension_id, extension_number, name, type)
       select * from unnest($1::text[], $2::text[], $3::text[], $4::text[])
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

  async callsOf(number: string): Promise<number> {
    const sql = `select count(*) as calls from call_record where ${involved}`;
    const [row] = await this.#db.query<{ calls: number }>(sql, [number]);
    return row?.calls ?? 0;
  }

  async erase(number: string): Promise<void> {
    await this.#db.run(`delete from call_record where ${involved}`, [number]);
  }
}

/** The rows of the records that the archive may store, and the number of the others. */
function stagedRows(
  records: readonly CallLogRecord[],
  isExcluded: (record: CallLogRecord, numbers: readonly string[]) => boolean,
): { readonly rows: readonly (readonly CopyValue[])[]; readonly erased: number } {
  const rows: (readonly CopyValue[])[] = [];
  for (const record of records) {
    const numbers = numbersOf(record);
    if (isExcluded(record, numbers)) continue;
    const call = prepareCall(record, numbers);
    const values = readers.map((read) => read(call));
    rows.push([rows.length, record.id, ...values, record.legs?.length ?? null]);
  }
  return { rows, erased: records.length - rows.length };
}

/** Attempts to store a page while other processes erase data. */
const mostAttempts = 5;

/** Merges the staged calls. Undefined if data was erased since the calls were checked; nothing is then stored. */
async function merge(
  session: Transaction,
  { schema, exclusions }: { readonly schema: ArchiveSchema; readonly exclusions: Exclusions },
  scope: string,
  stream: CallStream,
): Promise<Pick<CallCounts, 'added' | 'changed' | 'unchanged'> | undefined> {
  await session.script("begin; select pg_advisory_xact_lock(hashtext('ucctl calls'))");
  try {
    if (!(await isCurrent(session, schema, exclusions))) {
      await session.script('rollback');
      return undefined;
    }
    // Without records, the connection may have no stage.
    await session.script(createStageIfMissing);
    await bindAccount(session, schema, /\/account\/(\d+)/.exec(stream.owner ?? '')?.[1]);
    const [counts] = await session.query<Pick<CallCounts, 'added' | 'changed' | 'unchanged'>>(mergeSql, [
      scope,
    ]);
    await saveStream(session, scope, stream);
    await session.script('truncate stage_call; commit');
    return counts ?? { added: 0, changed: 0, unchanged: 0 };
  } catch (error) {
    await session.script('rollback').catch(() => undefined);
    throw error;
  }
}

const createStageIfMissing = createStage.split(';')[0] ?? '';

async function saveStream(session: Transaction, scope: string, stream: CallStream): Promise<void> {
  const { owner, dateFrom, completeTo, pending, syncedAt } = stream;
  await session.run(
    `insert into call_stream (scope, owner, date_from, complete_to, pending_from, pending_to, pending_target, synced_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (scope) do update set owner = excluded.owner, date_from = excluded.date_from,
       complete_to = excluded.complete_to, pending_from = excluded.pending_from, pending_to = excluded.pending_to,
       pending_target = excluded.pending_target, synced_at = excluded.synced_at`,
    [
      scope,
      owner ?? null,
      new Date(dateFrom).toISOString(),
      iso(completeTo),
      iso(pending?.from),
      iso(pending?.to),
      iso(pending?.target),
      syncedAt ?? null,
    ],
  );
}

function iso(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}
