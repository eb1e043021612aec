import { usageError } from '../../errors/command.ts';

type Scalar = string | number | bigint | boolean | null;

/** Value of a field on the command line. The only list that a single field can express is the empty list. */
export type FieldValue = Scalar | readonly never[];

interface Tree {
  [key: string]: Node;
}
type Node = Scalar | Tree | Node[];

/**
 * Splits `KEY=VALUE`. @throws {CommandError} `usage`.
 */
export function splitField(flag: string, text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at <= 0) throw usageError(`${flag} "${text}" is not a valid field`, 'use KEY=VALUE');
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Reads `KEY[]`, which means an empty list; undefined for any other text. */
export function emptyField(text: string): readonly [string, FieldValue] | undefined {
  return !text.includes('=') && text.length > 2 && text.endsWith('[]') ? [text.slice(0, -2), []] : undefined;
}

/**
 * Returns the value of a `-F` field: JSON literals and numbers are typed; a number with a leading zero or plus is text.
 */
export function typedValue(text: string): FieldValue {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  if (/^-?(0|[1-9]\d*)$/.test(text)) {
    const value = Number(text);
    return Number.isSafeInteger(value) ? value : BigInt(text);
  }
  return /^-?(0|[1-9]\d*)\.\d+$/.test(text) ? Number(text) : text;
}

/**
 * Builds a body: `a=1`, `from[phoneNumber]=N`, `ids[]=1`, and `to[][phoneNumber]=N`, which begins a new item if the
 * last item already has the key.
 * @throws {CommandError} `usage` for an invalid key, or a key that is used both as a value and as an object or list.
 */
export function nestFields(
  fields: readonly (readonly [string, FieldValue])[],
): Readonly<Record<string, unknown>> {
  const root: Tree = Object.create(null) as Tree;
  for (const [key, value] of fields) place(root, pathOf(key), value, key);
  return root;
}

function pathOf(key: string): readonly string[] {
  const parts = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(key);
  if (!parts?.[1])
    throw usageError(
      `"${key}" is not a valid field name`,
      'examples: text, from[phoneNumber], to[][phoneNumber]',
    );
  const inner = [...(parts[2] ?? '').matchAll(/\[([^[\]]*)\]/g)].map(([, name]) => name ?? '');
  return [parts[1], ...inner];
}

function place(into: Tree, path: readonly string[], value: FieldValue, key: string): void {
  const [name = '', ...rest] = path;
  if (rest.length === 0) {
    const isList = isEmptyList(value);
    if (isList && Array.isArray(into[name])) return;
    if (name in into) throw conflictingField(key);
    // Each key gets a separate array, because further fields may append to it.
    into[name] = isList ? [] : value;
    return;
  }
  if (rest[0] === '') {
    const list = (into[name] ??= []);
    if (!Array.isArray(list)) throw conflictingField(key);
    append(list, rest.slice(1), value, key);
    return;
  }
  const inner = (into[name] ??= Object.create(null) as Tree);
  if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) throw conflictingField(key);
  place(inner, rest, value, key);
}

function append(list: Node[], path: readonly string[], value: FieldValue, key: string): void {
  const [name] = path;
  if (name === undefined) {
    list.push(isEmptyList(value) ? [] : value);
    return;
  }
  const last = list.at(-1);
  const isOpen = typeof last === 'object' && last !== null && !Array.isArray(last) && !(name in last);
  const item: Tree = isOpen ? last : (Object.create(null) as Tree);
  if (!isOpen) list.push(item);
  place(item, path, value, key);
}

function isEmptyList(value: FieldValue): value is readonly never[] {
  return typeof value === 'object' && value !== null;
}

function conflictingField(key: string): Error {
  return usageError(
    `field "${key}" conflicts with an earlier field of the same name`,
    'use the name for only one kind of value: a single value, an object or a list',
  );
}
