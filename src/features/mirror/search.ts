/** A question to the copy, as SQL with its values. */
export interface SearchQuery {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** A word of a search that means nothing. */
export class SearchError extends Error {
  override readonly name = 'SearchError';
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

/** What a time means, in milliseconds since 1970; undefined where it is none. */
export type ReadTime = (text: string) => number | undefined;

interface Condition {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** A number from so many digits on is rare enough to be looked up; shorter beginnings fit so many that looking through is quicker. */
const rareDigits = 7;
const columns: Readonly<Record<string, string>> = {
  from: "(' ' || coalesce(from_number, from_extension, ''))",
  to: "(' ' || to_numbers)",
};
const indexed: Readonly<Record<string, string>> = {
  from: 'sender',
  to: 'recipients',
  with: '{sender recipients}',
};
const types: Readonly<Record<string, string>> = {
  sms: 'SMS',
  text: 'SMS',
  fax: 'Fax',
  pager: 'Pager',
  voicemail: 'VoiceMail',
};
/** Stands for the key, whichever table gives it. */
const keyColumn = '{key}';
const flags: Readonly<Record<string, string>> = {
  'is:read': "read_status = 'Read'",
  'is:unread': "read_status = 'Unread'",
  'is:deleted': "(availability <> 'Alive' OR missing_since IS NOT NULL)",
  'is:in': "message.direction = 'Inbound'",
  'is:out': "message.direction = 'Outbound'",
  'has:attachment': 'media_wanted > 0',
};

/**
 * `from:+1555 refund after:2026-01-01`: words and "phrases" in the text, `from:` and `to:` (beginning of a number, part of a name), `with:` for
 * either, `type:`, `after:` `before:`, `is:read|unread|in|out|deleted`, `has:attachment`, `mailbox:`; a minus excludes words. Newest first.
 * @throws {SearchError}
 */
export function searchQuery(text: string, limit: number, readTime: ReadTime): SearchQuery {
  const { key, from, values } = understand(text, readTime);
  return {
    // A key is a time: its order spares a sort, and the newest are found without reading the rest.
    sql: `SELECT message.message_id AS id, coalesce(mailbox.extension_number, message.extension_id) AS mailbox, message.type, message.direction,
      creation_time AS creationTime, coalesce(from_number, from_extension, message.from_name) AS "from",
      coalesce(nullif(to_numbers, ''), message.to_names) AS "to", read_status AS readStatus, availability,
      conversation_id AS conversationId, message.subject AS text
      ${from} ORDER BY ${key} DESC LIMIT ?`,
    values: [...values, limit],
  };
}

/** The keys (`message.pk`) of what a search finds, in no order. @throws {SearchError} */
export function foundKeys(text: string, readTime: ReadTime): SearchQuery {
  const { key, from, values } = understand(text, readTime);
  return { sql: `SELECT ${key} ${from}`, values };
}

function understand(
  text: string,
  readTime: ReadTime,
): { readonly key: string; readonly from: string; readonly values: SearchQuery['values'] } {
  const terms = text.match(/-?(?:[a-z]+:)?"[^"]*"|\S+/gi) ?? [];
  const words: string[] = [];
  const without: string[] = [];
  const conditions: Condition[] = [];
  for (const term of terms) {
    const [, key, value = ''] = /^([a-z]+):(.*)$/is.exec(term) ?? [];
    if (bare(term.replace(/^-/, '')) === '') continue;
    const name = key?.toLowerCase() ?? '';
    const people = indexed[name];
    if (people !== undefined && bare(value) !== '' && !isBeginning(value)) {
      words.push(`${people} : ${prefix(bare(value))}`);
    } else if (isKey(name)) conditions.push(condition(name, bare(value), readTime));
    else if (term.startsWith('-') && term.length > 1) without.push(phrase(term.slice(1)));
    else words.push(phrase(term));
  }
  if (without.length > 0 && words.length === 0)
    throw new SearchError('-word needs a word that is looked for');
  const match = [words.map((word) => `(${word})`).join(' AND '), ...without].join(' NOT ');
  const key = words.length > 0 ? 'message_fts.rowid' : 'message.pk';
  const where = [
    ...(words.length > 0 ? ['message_fts MATCH ?'] : []),
    ...conditions.map(({ sql }) => sql.replace(keyColumn, key)),
    ...(conditions.some(({ sql }) => sql === flags['is:deleted']) ? [] : ["availability <> 'Purged'"]),
  ];
  const from =
    words.length > 0 ? 'message_fts CROSS JOIN message ON message.pk = message_fts.rowid' : 'message';
  return {
    key,
    from: `FROM ${from} LEFT JOIN mailbox USING (extension_id) ${where.length > 0 ? `WHERE ${where.join(' AND ')}` : ''}`,
    values: [...(words.length > 0 ? [match] : []), ...conditions.flatMap(({ values }) => values)],
  };
}

function isKey(key: string): boolean {
  return ['from', 'to', 'with', 'type', 'after', 'before', 'is', 'has', 'mailbox'].includes(
    key.toLowerCase(),
  );
}

function condition(key: string, value: string, readTime: ReadTime): Condition {
  if (value === '') throw new SearchError(`${key}: needs a value`);
  if (key === 'from' || key === 'to') return partyCondition(key, value);
  if (key === 'with') {
    const [from, to] = [partyCondition('from', value), partyCondition('to', value)];
    return { sql: `(${from.sql} OR ${to.sql})`, values: [...from.values, ...to.values] };
  }
  if (key === 'mailbox') {
    return { sql: '(message.extension_id = ? OR mailbox.extension_number = ?)', values: [value, value] };
  }
  if (key === 'type') {
    return { sql: 'message.type = ?', values: [types[value.toLowerCase()] ?? value] };
  }
  if (key === 'after' || key === 'before') {
    const time = readTime(value);
    if (time === undefined) throw new SearchError(`"${value}" is no time`);
    return { sql: `${keyColumn} ${key === 'after' ? '>=' : '<'} ?`, values: [Math.round(time) * 1000] };
  }
  const flag = flags[`${key}:${value.toLowerCase()}`];
  if (flag === undefined) {
    throw new SearchError(`there is no ${key}:${value}; there are ${Object.keys(flags).join(', ')}`);
  }
  return { sql: flag, values: [] };
}

/** The beginning of a number that too many have. */
function isBeginning(value: string): boolean {
  return /^\+?\d+$/.test(value) && value.replace('+', '').length < rareDigits;
}

function partyCondition(key: 'from' | 'to', value: string): Condition {
  return { sql: `${columns[key] ?? ''} LIKE ?`, values: [`% ${value}%`] };
}

/** Words of which the last may go on. */
function prefix(text: string): string {
  return `"${text}" *`;
}

function bare(value: string): string {
  return value.replaceAll('"', '');
}

/** A string of the full-text language: nothing in it is an operator. `refund*` looks for beginnings. */
function phrase(word: string): string {
  const text = bare(word);
  return text.length > 1 && text.endsWith('*') ? `"${text.slice(0, -1)}" *` : `"${text}"`;
}
