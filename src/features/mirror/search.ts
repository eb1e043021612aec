import { iterateRows, type Database } from '../../platform/sqlite.ts';
import type { Found, ReadTime } from '../../store/message-store.ts';
import { type Condition, keyColumn, type Question, parseSearch, type Wanted } from './search-terms.ts';
import { wordsBeginning } from './word-list.ts';

/** A query of the copy: SQL with its values. */
export interface SearchQuery {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** The full-text part of a search. */
interface Match {
  /** An FTS5 query; undefined if the search needs no query. */
  readonly text: string | undefined;
  /**
   * Word beginnings that match too many words and that SQL conditions can also check. The words are looked up only if
   * few of the newest messages match.
   */
  readonly wide: readonly Wanted[];
}

/**
 * Maximum number of words that may replace a word beginning. FTS5 reads whole words newest first, but for a beginning
 * it first collects the matches of all messages.
 */
const mostWords = 100;
/**
 * Number of the newest messages to check before a wide word beginning is looked up. If too few of these messages match,
 * the beginning is rare and quick to look up.
 */
const lookedThrough = 10_000;
/** Maximum number of results of a search that checks the newest messages first. Larger searches skip this check. */
const mostLookedFor = 500;

const columns = `message.message_id AS id, coalesce(mailbox.extension_number, message.extension_id) AS mailbox,
  message.extension_id AS extensionId, message.type, message.direction,
  creation_time AS creationTime, coalesce(from_number, from_extension, message.from_name) AS "from",
  coalesce(nullif(to_numbers, ''), message.to_names) AS "to", message.from_name AS fromName, message.to_names AS toNames, read_status AS readStatus, availability,
  conversation_id AS conversationId, message.subject AS text`;

/**
 * Finds messages, newest first, by a search such as `from:+1555 refund after:2026-01-01`. A search consists of words
 * and "phrases" in texts and names, and of filters. `from:`, `to:` and `with:` (either side) take the beginning of a
 * number or part of a name. Further filters are `type:`, `after:`, `before:`, `is:read|unread|in|out|deleted`,
 * `has:attachment` and `mailbox:`. A minus excludes a term.
 * @throws {SearchError} if the search is invalid.
 */
export function searchMessages(
  db: Database,
  text: string,
  limit: number,
  readTime: ReadTime,
): Iterable<Found> {
  const question = withKeyExclusion(parseSearch(text, readTime), db);
  const match = matchOf(question, db);
  return match === undefined ? [] : found(db, question, match, limit);
}

/**
 * Returns SQL for the keys (`message.pk`) of the messages that a search finds, unordered.
 * @throws {SearchError} if the search is invalid.
 */
export function foundKeys(text: string, readTime: ReadTime): SearchQuery {
  const question = withKeyExclusion(parseSearch(text, readTime), undefined);
  const match = matchOf(question, undefined);
  const { key, from, values } = sourceOf(question, match && withWide(match));
  return { sql: `SELECT ${key} ${from}`, values };
}

/** Parses a search. @throws {SearchError} if the search is invalid. */
export function checkSearch(text: string, readTime: ReadTime): void {
  foundKeys(text, readTime);
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
  // Keys are ordered by time, so the newest messages are found without sorting or reading the rest.
  yield* iterateRows<Found>(db, `SELECT ${columns} ${from} ORDER BY ${key} DESC LIMIT ?`, [...values, limit]);
}

/** Returns the keys of the newest messages that match. Checks only a limited number of messages. */
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

/** Returns the table that provides the keys: the full-text index or the messages. */
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

/**
 * Replaces excluded words by a condition if no other term is part of the full-text query, because FTS5 can only exclude
 * messages from matches.
 */
function withKeyExclusion(question: Question, db: Database | undefined): Question {
  const { wanted, without, marks, mailboxes, conditions } = question;
  const isInQuery = wanted.length + marks.length > 0 || (db !== undefined && mailboxes.length > 0);
  if (without.length === 0 || isInQuery) return question;
  const sql = 'message.pk NOT IN (SELECT rowid FROM message_fts WHERE message_fts MATCH ?)';
  const excluded = { sql, values: [without.map(expression).join(' OR ')] };
  return { ...question, without: [], conditions: [...conditions, excluded] };
}

/**
 * Returns the full-text part of a search; undefined if no message can match. Without a database, word beginnings are
 * not replaced by words.
 */
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
  if (without.length > 0 && words.length === 0) words.push(...wide.splice(0).map(expression));
  if (words.length === 0) return { text: undefined, wide };
  const text = [words.map((word) => `(${word})`).join(' AND '), ...without.map(expression)].join(' NOT ');
  return { text, wide };
}

/**
 * Returns the FTS5 expressions of the words to search for, and the words that SQL can check; undefined if a beginning
 * matches no word.
 */
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

/** Returns a quoted FTS5 string, which contains no operators. */
function quoted(text: string): string {
  return `"${text}"`;
}
