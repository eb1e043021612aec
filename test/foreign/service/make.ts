import type { Dice } from '../../support/dice.ts';
import { isList, isMembers, type Members, type RecordShape, type Shape, type Value } from './shape.ts';

/** How far a reply differs from the one in the documents; each value is a share of the places where it could differ. */
export interface Variation {
  /** Members that are missing. */
  readonly missing: number;
  /** Members that are null instead of missing. */
  readonly empty: number;
  /** Members of a type other than the published one. */
  readonly mistyped: number;
  /** Records with members that no document names. */
  readonly unknownMembers: number;
  /** Values of enumerations that no document names. */
  readonly unknownWords: number;
  /** Ids in the other form: a string instead of a number. */
  readonly respelled: number;
}

export const plain: Variation = {
  missing: 0,
  empty: 0,
  mistyped: 0,
  unknownMembers: 0,
  unknownWords: 0,
  respelled: 0,
};

/** All variations that an allowed reply may have. */
export const free: Variation = {
  missing: 0.3,
  empty: 0.05,
  mistyped: 0.03,
  unknownMembers: 0.3,
  unknownWords: 0.1,
  respelled: 0.5,
};

/** Where records point to, and when they happened. */
export interface Setting {
  readonly origin: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A complete value of a shape, with every member. */
function make(shape: Shape, dice: Dice, setting: Setting): Value {
  switch (shape.kind) {
    case 'text':
      if (shape.isSecret) return `secret-${dice.integer(1e6, 9e6)}-${dice.integer(1e6, 9e6)}`;
      return dice.pick([
        'plain words',
        'Zoë Ångström',
        '',
        'a, "b"; c',
        '数字 12',
        `t-${dice.integer(1, 9999)}`,
      ]);
    case 'integer':
      return dice.integer(0, 9000);
    case 'flag':
      return dice.chance(0.5);
    case 'moment':
      return momentOf(setting.now - dice.integer(0, 80_000_000), dice);
    case 'address':
      return `${setting.origin}/restapi/v1.0/account/1/thing/${dice.integer(1, 99_999)}`;
    case 'id':
      return idOf(dice);
    case 'word':
      return dice.pick(shape.values);
    case 'list':
      return Array.from({ length: dice.integer(0, 3) }, () => make(shape.of, dice, setting));
    case 'record':
      break;
  }
  return makeRecord(shape, dice, setting);
}

export function makeRecord(shape: RecordShape, dice: Dice, setting: Setting): Members {
  const members = Object.entries(shape.members).map(
    ([name, member]) => [name, make(member, dice, setting)] as const,
  );
  return Object.fromEntries(members);
}

/** Up to ten digits, sixteen, or more than a double can represent. */
export function idOf(dice: Dice): bigint {
  const long = BigInt(dice.integer(100_000_000, 999_999_999));
  if (dice.chance(0.2)) return long * 10_000_000_019n;
  return dice.chance(0.3) ? long * 1_000_003n : long;
}

/** Services write the same moment in several ways. */
export function momentOf(milliseconds: number, dice: Dice): string {
  const whole = new Date(milliseconds).toISOString();
  const seconds = whole.replace(/\.\d+Z$/, '');
  return dice.pick([whole, `${seconds}Z`, `${seconds}.000Z`, `${seconds}+00:00`]);
}

/** The same record as another service could write it. Pinned members and identifying members are unchanged. */
export function vary(
  shape: Shape,
  value: Value,
  dice: Dice,
  how: Variation,
  pinned: readonly string[] = [],
): Value {
  if (shape.kind === 'list' && isList(value)) return value.map((item) => vary(shape.of, item, dice, how));
  if (shape.kind === 'id') return respell(value, dice, how);
  if (shape.kind === 'word' && dice.chance(how.unknownWords)) return dice.pick(unknownWords);
  if (shape.kind !== 'record' || !isMembers(value)) return value;
  const members = Object.entries(value).flatMap(([name, member]): readonly (readonly [string, Value])[] => {
    const of = shape.members[name];
    if (!of) return [[name, member]];
    // A pinned ID may still be written as a number or a string; a pinned word must remain the same.
    const isPinned = pinned.includes(name);
    if (shape.keys.includes(name) && !(isPinned && of.kind === 'word'))
      return [[name, vary(of, member, dice, how)]];
    if (isPinned) return [[name, member]];
    if (dice.chance(how.missing)) return [];
    if (dice.chance(how.empty)) return [[name, null]];
    if (dice.chance(how.mistyped)) return [[name, dice.pick(otherTypes(of))]];
    return [[name, vary(of, member, dice, how)]];
  });
  const unknown = dice.chance(how.unknownMembers) ? dice.pick(unknownMembers) : {};
  // In random order: no document promises an order.
  return Object.fromEntries(dice.shuffled([...members, ...Object.entries(unknown)]));
}

function respell(value: Value, dice: Dice, how: Variation): Value {
  if (!dice.chance(how.respelled)) return value;
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  return typeof value === 'string' && /^[1-9]\d*$/.test(value) ? BigInt(value) : value;
}

const unknownWords = ['NewInThisRelease', 'unknown', 'X-1'] as const;
const unknownMembers: readonly Members[] = [
  { newMember: 'added later' },
  { links: [{ rel: 'self' }], etag: null },
  { 'odd name é': { deep: [[1, 2], {}] }, flags: [] },
  { constructor: 'x', toString: 1, length: 3 },
];

/** Values of a type other than the shape's. */
function otherTypes(shape: Shape): readonly Value[] {
  switch (shape.kind) {
    case 'list':
      return ['text', 5, {}, false];
    case 'record':
      return ['text', 7, [], true];
    case 'text':
    case 'word':
    case 'moment':
    case 'address':
      return [12, true, {}, ['text']];
    case 'integer':
    case 'flag':
    case 'id':
      break;
  }
  return ['text', {}, []];
}

/** JSON in which a bigint is a number with all its digits. */
export function toJson(value: Value, indent = ''): string {
  if (typeof value === 'bigint') return String(value);
  if (isList(value))
    return joined(
      '[',
      value.map((item) => toJson(item, deeper(indent))),
      ']',
      indent,
    );
  if (!isMembers(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${indent && ' '}${toJson(member, deeper(indent))}`,
  );
  return joined('{', members, '}', indent);
}

function deeper(indent: string): string {
  return indent && `${indent}  `;
}

function joined(open: string, parts: readonly string[], close: string, indent: string): string {
  if (!indent || parts.length === 0) return open + parts.join(',') + close;
  return `${open}${indent}${parts.join(`,${indent}`)}${indent.slice(0, -2)}${close}`;
}
