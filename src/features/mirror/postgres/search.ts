import type { Queries } from '../../../platform/postgres/postgres.ts';
import type { SqlParameter } from '../../../platform/postgres/statement.ts';
import type { Selection } from '../../../store/export-row.ts';
import type { Found, ReadTime } from '../../../store/message-store.ts';
import { keyColumn, parseSearch, type Question, type Wanted } from '../search-terms.ts';
import { kindMark, mailboxMark, wordsOf } from './words.ts';
import { lookupTable } from '../../../platform/lookup-table.ts';

const columns = `message.message_id as id, coalesce(mailbox.extension_number, message.extension_id) as mailbox,
  message.extension_id as "extensionId", message.type, message.direction, creation_time as "creationTime", coalesce(from_number, from_extension, message.from_name) as "from",
  coalesce(nullif(to_numbers, ''), message.to_names) as "to", message.from_name as "fromName",
  message.to_names as "toNames", read_status as "readStatus", availability,
  conversation_id as "conversationId", message.subject as text`;

/** Weights of the parts of the full text, by the column filter of the search. */
const weights: Readonly<Record<string, string>> = lookupTable({
  '{subject sender recipients}': '',
  sender: 'B',
  recipients: 'C',
  '{sender recipients}': 'BC',
});

/** Marks of a search that are part of the full text. Other marks are only checked as conditions. */
const markedKinds = new Set([
  'SMS',
  'Fax',
  'Pager',
  'VoiceMail',
  'Inbound',
  'Outbound',
  'Read',
  'Unread',
  'attachment',
]);

/** A condition with its values, numbered from 1. */
interface Condition {
  readonly sql: string;
  readonly values: readonly SqlParameter[];
}

/** Finds messages, newest first. @throws {SearchError} if the search is invalid. @throws {StoreError} */
export async function searchMessages(
  db: Queries,
  text: string,
  limit: number,
  readTime: ReadTime,
): Promise<readonly Found[]> {
  const question = parseSearch(text, readTime);
  const condition = conditionOf(question, await mailboxIds(db, question.mailboxes));
  if (!condition) return [];
  const { sql, values } = condition;
  return db.query<Found>(
    `select ${columns} from message left join mailbox using (extension_id) where ${sql}
     order by created_key desc, message.pk desc limit $${values.length + 1}`,
    [...values, limit],
  );
}

/** Returns the messages that a search finds, for an export. @throws {SearchError} if the search is invalid. */
export function selectMessages(filter: string, readTime: ReadTime): Selection {
  const condition = conditionOf(parseSearch(filter, readTime), undefined);
  if (!condition) return { filter, sql: 'false', values: [] };
  const sql = `message.pk in (select message.pk from message left join mailbox using (extension_id) where ${condition.sql})`;
  return { filter, sql, values: condition.values as readonly (string | number)[] };
}

/** The extension IDs of each named mailbox. */
type MailboxIds = readonly (readonly string[])[];

async function mailboxIds(db: Queries, mailboxes: readonly string[]): Promise<MailboxIds> {
  return Promise.all(
    mailboxes.map(async (mailbox) => {
      const sql = 'select extension_id as id from mailbox where extension_number = $1';
      const rows = await db.query<{ id: string }>(sql, [mailbox]);
      return [mailbox, ...rows.map(({ id }) => id)];
    }),
  );
}

/** Returns the condition of a search; undefined if no message can match. */
function conditionOf(question: Question, ids: MailboxIds | undefined): Condition | undefined {
  const { wanted, without, marks, conditions, times } = question;
  const expressions = wanted.map(expression);
  if (expressions.some((one) => one === undefined)) return undefined;
  const excluded = without.flatMap((one) => expression(one) ?? []).map((one) => `!(${one})`);
  const kinds = marks.filter((mark) => markedKinds.has(mark)).map((mark) => `'${kindMark(mark)}'`);
  const places = (ids ?? []).map((all) => all.map((id) => `'${mailboxMark(quoted(id))}'`).join(' | '));
  const required = [...expressions.map((one) => one ?? ''), ...kinds, ...places];
  const all = [...required.map((one) => `(${one})`), ...excluded];
  const parts = [
    ...(all.length === 0 ? [] : [{ sql: 'message.words @@ ?::tsquery', values: [all.join(' & ')] }]),
    ...times.map(({ sql, values }) => ({ sql: sql.replace(keyColumn, 'message.created_key'), values })),
    ...conditions,
  ];
  let count = 0;
  const sql = parts.map((part) => `(${part.sql})`.replaceAll('?', () => `$${(count += 1)}`)).join(' and ');
  return { sql: sql === '' ? 'true' : sql, values: parts.flatMap(({ values }) => values) };
}

/** Returns a `tsquery` for the words of a term; undefined if the term has no word, so that no message matches. */
function expression({ columns: where, text, beginning }: Wanted): string | undefined {
  const words = wordsOf(text);
  if (words.length === 0) return undefined;
  const weight = weights[where] ?? '';
  return words
    .map((one, index) =>
      beginning && index === words.length - 1 ? beginningOf(one, weight) : lexeme(one, weight),
    )
    .join(' <-> ');
}

function lexeme(word: string, marks: string): string {
  return `'${word}'${marks === '' ? '' : `:${marks}`}`;
}

/** Matches words that start with `word`. A Greek sigma has another form at the end of a word than before other letters. */
function beginningOf(word: string, weight: string): string {
  if (!/[σς]$/.test(word)) return lexeme(word, `*${weight}`);
  const forms = ['σ', 'ς'].map((sigma) => lexeme(word.slice(0, -1) + sigma, `*${weight}`));
  return `(${forms.join(' | ')})`;
}

function quoted(text: string): string {
  return text.replaceAll(/[^\w-]/g, '_');
}
