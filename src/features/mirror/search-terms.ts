import type { ReadTime } from '../../store/message-store.ts';
import { fewestDigits, searchedForms } from './numbers-in-search.ts';
import { momentHint } from '../../platform/moment.ts';
import { lookupTable } from '../../platform/lookup-table.ts';

/** The error for a search with an invalid term. */
export class SearchError extends Error {
  override readonly name = 'SearchError';
}

/** A condition on the columns of `message`. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** Words that the full text must contain. With `beginning`, a word must start with the text. */
export interface Wanted {
  /** A column filter of the FTS5 query language. */
  readonly columns: string;
  readonly text: string;
  readonly beginning: boolean;
  /** Whether an SQL condition checks exactly the same, so that the words only reduce the number of messages to read. */
  readonly isCertain: boolean;
}

/** A parsed search. */
export interface Question {
  readonly wanted: readonly Wanted[];
  readonly without: readonly Wanted[];
  readonly conditions: readonly Condition[];
  /** Conditions on the key of a message, which is its time. */
  readonly times: readonly Condition[];
  /** Full-text marks that match the conditions. */
  readonly marks: readonly string[];
  readonly mailboxes: readonly string[];
}

/** Placeholder for the key column, which depends on the table of the query. */
export const keyColumn = '{key}';
const everybodyAndText = '{subject sender recipients}';
const people: Readonly<Record<string, string>> = lookupTable({
  from: 'sender',
  to: 'recipients',
  with: '{sender recipients}',
});
const numbers: Readonly<Record<string, string>> = lookupTable({
  from: "(' ' || coalesce(from_number, '') || ' ' || coalesce(from_extension, ''))",
  to: "(' ' || to_numbers)",
  with: "(' ' || coalesce(from_number, '') || ' ' || coalesce(from_extension, '') || ' ' || to_numbers)",
});
const types: Readonly<Record<string, string>> = lookupTable({
  sms: 'SMS',
  text: 'SMS',
  fax: 'Fax',
  pager: 'Pager',
  voicemail: 'VoiceMail',
});
const deleted = "(availability <> 'Alive' OR missing_since IS NOT NULL)";
const flags: Readonly<Record<string, { readonly sql: string; readonly mark: string }>> = lookupTable({
  'is:read': { sql: "read_status = 'Read'", mark: 'Read' },
  'is:unread': { sql: "read_status = 'Unread'", mark: 'Unread' },
  'is:deleted': { sql: deleted, mark: 'gone' },
  'is:in': { sql: "message.direction = 'Inbound'", mark: 'Inbound' },
  'is:out': { sql: "message.direction = 'Outbound'", mark: 'Outbound' },
  'has:attachment': { sql: 'media_wanted > 0', mark: 'attachment' },
});

/** Matches a term with a key such as `from:`. */
const keyAndValue = /^-?([a-z]+):(.*)$/is;

/** Returns the first word of a search that looks like a filter with an unknown key; undefined if it has none. */
export function unknownFilter(search: string): string | undefined {
  return termsOf(search)
    .map((term) => keyAndValue.exec(term))
    .find(
      (found) => found && !isKey(found[1]?.toLowerCase() ?? '') && /^(?!\/\/)./s.test(found[2] ?? ''),
    )?.[1];
}

function termsOf(search: string): readonly string[] {
  return search.match(/-?(?:[a-z]+:)?"[^"]*"|\S+/gi) ?? [];
}

/** Parses a search of `sync search`. @throws {SearchError} if the search has an invalid term. */
export function parseSearch(text: string, readTime: ReadTime): Question {
  const question = new QuestionDraft(readTime);
  for (const term of termsOf(text)) {
    const isNot = term.startsWith('-') && term.length > 1;
    const [, key = '', given = ''] = keyAndValue.exec(term) ?? [];
    const name = key.toLowerCase();
    const value = bare(given);
    if (bare(term.replace(/^-/, '')) === '') continue;
    if (!isKey(name)) question.addWord(isNot ? term.slice(1) : term, isNot);
    else if (value === '') throw new SearchError(`${name}: the value is missing`);
    else question.addKey(name, value, isNot);
  }
  return question.finish();
}

/** Collects the terms of a search. */
class QuestionDraft {
  readonly #readTime: ReadTime;
  readonly #wanted: Wanted[] = [];
  readonly #without: Wanted[] = [];
  readonly #conditions: Condition[] = [];
  readonly #times: Condition[] = [];
  readonly #marks: string[] = [];
  readonly #mailboxes: string[] = [];

  constructor(readTime: ReadTime) {
    this.#readTime = readTime;
  }

  addWord(word: string, isNot: boolean): void {
    (isNot ? this.#without : this.#wanted).push(phrase(word));
  }

  /** Adds a term `name:value`, where `name` is a key. @throws {SearchError} if the term is invalid. */
  addKey(name: string, value: string, isNot: boolean): void {
    const columns = people[name];
    if (columns !== undefined) this.#addParty(name, { columns, text: value }, isNot);
    else if (name === 'after' || name === 'before')
      this.#times.push(maybeNot(timeCondition(name, value, this.#readTime), isNot));
    else this.#addAttribute(name, value, isNot);
  }

  /** @throws {SearchError} the search has only excluded words. */
  finish(): Question {
    const positive = [this.#wanted, this.#marks, this.#mailboxes, this.#times];
    if (this.#without.length > 0 && positive.every(({ length }) => length === 0))
      throw new SearchError(
        'a search cannot consist only of excluded words; add a word to search for, or a filter',
      );
    const conditions = this.#conditions.some(({ sql }) => sql === deleted)
      ? this.#conditions
      : [...this.#conditions, { sql: "availability <> 'Purged'", values: [] }];
    return {
      wanted: this.#wanted,
      without: this.#without,
      conditions,
      times: this.#times,
      marks: this.#marks,
      mailboxes: this.#mailboxes,
    };
  }

  #addParty(name: string, party: Pick<Wanted, 'columns' | 'text'>, isNot: boolean): void {
    const forms = isNumber(party.text) ? searchedForms(party.text) : [];
    const [number = party.text] = forms;
    const isCertain = forms.length > 0;
    if (isCertain) {
      this.#conditions.push(maybeNot(numberCondition(name, forms), isNot));
      // The full text has words by their beginning, and all of them must be found.
      if (forms.length > 1 || mayLackCountry(number)) return;
    }
    const wanted = { ...party, text: number, beginning: true, isCertain };
    if (!isNot) this.#wanted.push(wanted);
    else if (!isCertain) this.#without.push(wanted);
  }

  #addAttribute(name: string, value: string, isNot: boolean): void {
    const { condition, mark } = attribute(name, value);
    this.#conditions.push(maybeNot(condition, isNot));
    if (isNot) return;
    if (mark === undefined) this.#mailboxes.push(value);
    else this.#marks.push(mark);
  }
}

function isKey(key: string): boolean {
  return ['from', 'to', 'with', 'type', 'after', 'before', 'is', 'has', 'mailbox'].includes(key);
}

function maybeNot({ sql, values }: Condition, isNot: boolean): Condition {
  return isNot ? { sql: `(${sql}) IS NOT TRUE`, values } : { sql, values };
}

/** Whether a text is a phone number in any notation, or its beginning. */
function isNumber(text: string): boolean {
  return /^\+?[\d\s().-]*\d[\d\s().-]*$/.test(text);
}

/** Whether a number without a plus sign may be a number without its country code. */
function mayLackCountry(number: string): boolean {
  return !number.startsWith('+') && number.length >= fewestDigits;
}

/**
 * Returns a condition on the beginning of a number, which has one of the forms. A form without a plus sign is compared with
 * the digits after the plus sign. If it may lack the country code, the number only has to contain it.
 */
function numberCondition(key: string, forms: readonly string[]): Condition {
  const column = numbers[key] ?? '';
  const like = (form: string): string =>
    `${form.startsWith('+') ? column : `replace(${column}, '+', '')`} LIKE ?`;
  return {
    sql: `(${forms.map(like).join(' OR ')})`,
    values: forms.map((form) => `${mayLackCountry(form) ? '%' : '% '}${form}%`),
  };
}

function timeCondition(key: 'after' | 'before', value: string, readTime: ReadTime): Condition {
  const time = readTime(value);
  if (time === undefined) {
    const hint = momentHint(value);
    throw new SearchError(`${key}: "${value}" is not a valid time${hint === undefined ? '' : `; ${hint}`}`);
  }
  return { sql: `${keyColumn} ${key === 'after' ? '>=' : '<'} ?`, values: [Math.round(time) * 1000] };
}

function attribute(
  key: string,
  value: string,
): { readonly condition: Condition; readonly mark: string | undefined } {
  if (key === 'mailbox') {
    const sql =
      '(message.extension_id = ? OR message.extension_id IN (SELECT extension_id FROM mailbox WHERE extension_number = ?))';
    return { condition: { sql, values: [value, value] }, mark: undefined };
  }
  if (key === 'type') {
    const type = types[value.toLowerCase()];
    if (type === undefined) {
      throw new SearchError(
        `type: "${value}" is not a valid message type; use ${Object.keys(types).join(', ')}`,
      );
    }
    return { condition: { sql: 'message.type = ?', values: [type] }, mark: type };
  }
  const flag = flags[`${key}:${value.toLowerCase()}`];
  if (flag === undefined) {
    throw new SearchError(`${key}:${value} is not a valid filter; use ${Object.keys(flags).join(', ')}`);
  }
  return { condition: { sql: flag.sql, values: [] }, mark: flag.mark };
}

function bare(value: string): string {
  return value.replaceAll('"', '');
}

/** Reads a word or phrase of a search. `refund*` matches words that start with `refund`. */
function phrase(word: string): Wanted {
  const text = bare(word);
  const beginning = text.length > 1 && text.endsWith('*');
  return {
    columns: everybodyAndText,
    text: beginning ? text.slice(0, -1) : text,
    beginning,
    isCertain: false,
  };
}
