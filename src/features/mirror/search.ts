import { iterateRows, type Database } from '../../platform/sqlite.ts';
import {
  type Condition,
  keyColumn,
  type Question,
  type ReadTime,
  SearchError,
  understand,
  type Wanted,
} from './search-terms.ts';
import { wordsBeginning } from './word-list.ts';

/** A question to the copy, as SQL with its values. */
export interface SearchQuery {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** A message that a search found. */
export interface Found {
  readonly id: string;
  readonly mailbox: string;
  readonly type: string;
  readonly direction: string | null;
  readonly creationTime: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly readStatus: string | null;
  readonly availability: string;
  readonly conversationId: string | null;
  readonly text: string | null;
}

/** The full-text side of a question. */
interface Match {
  /** In the language of FTS5; undefined where nothing is asked of it. */
  readonly text: string | undefined;
  /** Beginnings that too many words have to name them all, but that the columns answer too: looked up only where few of the newest fit. */
  readonly wide: readonly Wanted[];
}

/** Words that a beginning is replaced by at most. Named words are read newest first; a beginning is first gathered over all messages. */
const mostWords = 100;
/** The newest messages that are looked through before a wide beginning is looked up: where these have too few, it is rare, and quick to look up. */
const lookedThrough = 10_000;
/** Searches for more go the second way at once. */
const mostLookedFor = 500;

const columns = `message.message_id AS id, coalesce(mailbox.extension_number, message.extension_id) AS mailbox, message.type, message.direction,
  creation_time AS creationTime, coalesce(from_number, from_extension, message.from_name) AS "from",
  coalesce(nullif(to_numbers, ''), message.to_names) AS "to", read_status AS readStatus, availability,
  conversation_id AS conversationId, message.subject AS text`;

/**
 * `from:+1555 refund after:2026-01-01`: words and "phrases" in texts and names, `from:` and `to:` (beginning of a number, part of a name), `with:`
 * for either, `type:`, `after:` `before:`, `is:read|unread|in|out|deleted`, `has:attachment`, `mailbox:`; a minus excludes. Newest first.
 * @throws {SearchError}
 */
export function searchMessages(
  db: Database,
  text: string,
  limit: number,
  readTime: ReadTime,
): Iterable<Found> {
  const question = understand(text, readTime);
  const match = matchOf(question, db);
  return match === undefined ? [] : found(db, question, match, limit);
}

/** The keys (`message.pk`) of what a search finds, in no order. @throws {SearchError} */
export function foundKeys(text: string, readTime: ReadTime): SearchQuery {
  const question = understand(text, readTime);
  const match = matchOf(question, undefined);
  const { key, from, values } = sourceOf(question, match && withWide(match));
  return { sql: `SELECT ${key} ${from}`, values };
}

function* found(
  db: Database,
  question: Question,
  match: Match,
  limit: number,
): Generator<Found, void, undefined> {
  if (match.wide.length > 0 && limit <= mostLookedFor) {
    const keys = newestKeys(db, question, match.text, limit);
    if (keys.length === limit) {
      const sql = `SELECT ${columns} FROM message LEFT JOIN mailbox USING (extension_id) WHERE pk IN (SELECT value FROM json_each(?)) ORDER BY pk DESC`;
      yield* iterateRows<Found>(db, sql, [JSON.stringify(keys)]);
      return;
    }
  }
  const { key, from, values } = sourceOf(question, withWide(match));
  // A key is a time: its order spares a sort, and the newest are found without reading the rest.
  yield* iterateRows<Found>(db, `SELECT ${columns} ${from} ORDER BY ${key} DESC LIMIT ?`, [...values, limit]);
}

/** Which of the newest messages fit, looking through so many at most. */
function newestKeys(
  db: Database,
  { conditions, times }: Question,
  match: string | undefined,
  limit: number,
): readonly number[] {
  const { key, from, where, values } = placeOf(match, times);
  const fits = conditions.map(({ sql }) => `(${sql})`).join(' AND ');
  const sql = `SELECT ${key} AS pk, ${fits} AS fits FROM ${from} ${whereText(where)} ORDER BY ${key} DESC LIMIT ?`;
  const keys: number[] = [];
  const rows = iterateRows<{ readonly pk: number; readonly fits: number | null }>(db, sql, [
    ...conditions.flatMap(({ values: those }) => those),
    ...values,
    lookedThrough,
  ]);
  for (const row of rows) {
    if (row.fits === 1) keys.push(row.pk);
    if (keys.length === limit) break;
  }
  return keys;
}

function sourceOf(
  { conditions, times }: Question,
  match: string | undefined,
): { readonly key: string; readonly from: string; readonly values: SearchQuery['values'] } {
  const { key, from, where, values } = placeOf(match, times);
  const all = [...where, ...conditions.map(({ sql }) => sql)];
  return {
    key,
    from: `FROM ${from} LEFT JOIN mailbox USING (extension_id) ${whereText(all)}`,
    values: [...values, ...conditions.flatMap(({ values: those }) => those)],
  };
}

/** Where keys come from: full text, or the messages themselves. */
function placeOf(
  match: string | undefined,
  times: readonly Condition[],
): {
  readonly key: string;
  readonly from: string;
  readonly where: readonly string[];
  readonly values: SearchQuery['values'];
} {
  const key = match === undefined ? 'message.pk' : 'message_fts.rowid';
  return {
    key,
    from:
      match === undefined ? 'message' : 'message_fts CROSS JOIN message ON message.pk = message_fts.rowid',
    where: [
      ...(match === undefined ? [] : ['message_fts MATCH ?']),
      ...times.map(({ sql }) => sql.replace(keyColumn, key)),
    ],
    values: [...(match === undefined ? [] : [match]), ...times.flatMap(({ values }) => values)],
  };
}

function whereText(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
}

/** Undefined where no message can fit. Without a database beginnings stay beginnings. @throws {SearchError} */
function matchOf(question: Question, db: Database | undefined): Match | undefined {
  const { wanted, without, marks, mailboxes } = question;
  const found = wantedWords(wanted, db);
  if (!found) return undefined;
  const words = [...found.words, ...marks.map((mark) => `marks : ${quoted(mark)}`)];
  const wide = [...found.wide];
  if (db) {
    for (const mailbox of mailboxes) {
      words.push(`marks : (${[mailbox, ...mailboxIds(db, mailbox)].map(quoted).join(' OR ')})`);
    }
  }
  if (without.length > 0 && words.length === 0) {
    if (wide.length === 0) throw new SearchError('-word needs something that is looked for');
    words.push(...wide.splice(0).map(expression));
  }
  if (words.length === 0) return { text: undefined, wide };
  const text = [words.map((word) => `(${word})`).join(' AND '), ...without.map(expression)].join(' NOT ');
  return { text, wide };
}

/** The expressions of what is wanted, and what is certain without full text; undefined where a beginning has no word. */
function wantedWords(
  wanted: readonly Wanted[],
  db: Database | undefined,
): { readonly words: readonly string[]; readonly wide: readonly Wanted[] } | undefined {
  const words: string[] = [];
  const wide: Wanted[] = [];
  for (const one of wanted) {
    const list = one.beginning && db ? wordsBeginning(db, one.text, mostWords) : undefined;
    if (list?.length === 0) return undefined;
    if (list) words.push(`${one.columns} : (${list.map(quoted).join(' OR ')})`);
    else if (one.isCertain) wide.push(one);
    else words.push(expression(one));
  }
  return { words, wide };
}

function withWide({ text, wide }: Match): string | undefined {
  const all = [...(text === undefined ? [] : [`(${text})`]), ...wide.map((one) => `(${expression(one)})`)];
  return all.length === 0 ? undefined : all.join(' AND ');
}

function mailboxIds(db: Database, mailbox: string): readonly string[] {
  const sql = 'SELECT extension_id AS id FROM mailbox WHERE extension_number = ?';
  return (db.prepare(sql).all(mailbox) as { readonly id: string }[]).map(({ id }) => id);
}

function expression({ columns: where, text, beginning }: Wanted): string {
  return `${where} : (${quoted(text)}${beginning ? ' *' : ''})`;
}

/** A string of the full-text language: nothing in it is an operator. */
function quoted(text: string): string {
  return `"${text}"`;
}
