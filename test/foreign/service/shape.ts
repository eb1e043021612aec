/** The form of a value in a reply, as data. The shapes of the published documents are written in these terms. */
export type Shape =
  | { readonly kind: 'text'; readonly isSecret?: true }
  | { readonly kind: 'integer' }
  | { readonly kind: 'flag' }
  | { readonly kind: 'moment' }
  | { readonly kind: 'address' }
  /** Digits, which services write as a number or as a string. */
  | { readonly kind: 'id' }
  | { readonly kind: 'word'; readonly values: readonly string[] }
  | { readonly kind: 'list'; readonly of: Shape }
  | RecordShape;

export interface RecordShape {
  readonly kind: 'record';
  readonly members: Readonly<Record<string, Shape>>;
  /** Members that prove a write or identify a row: a reply without one, or with one of another type, is disallowed. */
  readonly keys: readonly string[];
}

export const text: Shape = { kind: 'text' };
/** A text that occurs nowhere else in a reply, because the program must not show it. */
export const secret: Shape = { kind: 'text', isSecret: true };
export const integer: Shape = { kind: 'integer' };
export const flag: Shape = { kind: 'flag' };
export const moment: Shape = { kind: 'moment' };
export const address: Shape = { kind: 'address' };
export const id: Shape = { kind: 'id' };
export const words = (...values: readonly string[]): Shape => ({ kind: 'word', values });
export const list = (of: Shape): Shape => ({ kind: 'list', of });
export const record = (
  members: Readonly<Record<string, Shape>>,
  ...keys: readonly string[]
): RecordShape => ({
  kind: 'record',
  members,
  keys,
});

/** A value before it is written: a bigint becomes a JSON number with all its digits. */
export type Value = string | number | bigint | boolean | null | readonly Value[] | Members;
export interface Members {
  readonly [name: string]: Value;
}

export function isMembers(value: Value | undefined): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value);
}
