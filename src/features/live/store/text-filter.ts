import type { Origin } from './stored-event.ts';

/** Texts by which a reader skips most unwanted events without parsing them. The reader checks the other events exactly. */
export interface TextFilter {
  /** An event must contain a text of each group. An empty group admits every event. */
  readonly groups: readonly (readonly string[])[];
  /** If given, an event must have one of these origins, or contain the text `or`. */
  readonly origins?: { readonly of: readonly Origin[]; readonly or: string | undefined };
}

/** A condition for rows of the table of events, with its values. */
interface Condition {
  readonly sql: string;
  readonly values: readonly string[];
}

/**
 * Returns the condition of a filter. Encrypted events meet every condition, and so do events in which JSON can write the
 * characters of a text as escape sequences.
 */
export function conditionOf({ groups, origins }: TextFilter): Condition {
  const all = groups.filter((texts) => texts.length > 0).map((texts) => anyOf(texts.map(contains)));
  if (origins) {
    const { of, or } = origins;
    const some = of.map((origin) => ({ sql: 'origin = ?', values: [origin] }));
    all.push(anyOf([...some, ...(or === undefined ? [] : [contains(or)])]));
  }
  const sql = all.map((one) => one.sql).join(' AND ');
  return {
    sql: sql === '' ? '1' : `(sealed = 1 OR instr(raw, '\\u00') > 0 OR (${sql}))`,
    values: all.flatMap(({ values }) => values),
  };
}

function contains(text: string): Condition {
  return { sql: 'instr(raw, ?) > 0', values: [text] };
}

function anyOf(conditions: readonly Condition[]): Condition {
  return {
    sql: `(${conditions.map(({ sql }) => sql).join(' OR ')})`,
    values: conditions.flatMap(({ values }) => values),
  };
}
