import { isJsonObject } from '../../platform/json.ts';

/** Reads one member of a reply. */
export interface Member<V> {
  /** Converts a value to the type of the contract; undefined if that is not possible. */
  readonly read: (value: unknown) => V | undefined;
  /** Default for a missing member, if the contract requires it and the program reads its members. */
  readonly empty?: () => V;
}

/** A reader for each member of a type of the contract, including optional ones. */
export type Members<T> = { readonly [K in keyof T]-?: Member<NonNullable<T[K]>> };

/** The required shape of the reply of an operation. */
export interface ReplyShape {
  /** The HTTP statuses with which a reply without a body is valid. Any other status, such as 202, proves nothing. */
  readonly emptyStatuses?: readonly number[];
  /** The HTTP statuses with which a body proves a change. Default: 200 and 201. */
  readonly statuses?: readonly number[];
  /** Describes how a value differs from a valid reply, as a phrase for `ReplyError`; undefined for a valid reply. */
  readonly problem: (value: unknown) => string | undefined;
  /** Corrects members of unexpected types in place. Must be called only for a valid value. */
  readonly correct: (value: unknown) => void;
}

/** A string; a number is converted to its digits. */
export const text: Member<string> = {
  read: (value) => {
    if (typeof value === 'string') return value;
    return typeof value === 'number' ? String(value) : undefined;
  },
};

/** A required text, such as a name; empty if the reply has none, because an invented text could be mistaken for a real one. */
export const given: Member<string> = { ...text, empty: () => '' };

/** A required type or status; `Unknown` if the reply has none. */
export const orUnknown: Member<string> = { ...text, empty: () => 'Unknown' };

/** An ID that is opaque to clients: a text that is not blank, or a positive integer. */
export const key: Member<string> = {
  read: (value) => {
    if (typeof value === 'string') return value.trim() === '' ? undefined : value;
    return isPositiveInteger(value) ? String(value) : undefined;
  },
};

/** A string that is not blank, such as a status or a token. */
export const word: Member<string> = {
  read: (value) => (typeof value === 'string' && value.trim() !== '' ? value : undefined),
};

/** An ID of digits, as a text or as a positive integer; a text may exceed the safe integers. */
export const digits: Member<string | number> = {
  read: (value) => {
    return isPositiveInteger(value) || (typeof value === 'string' && /^\d+$/.test(value)) ? value : undefined;
  },
};

function isPositiveInteger(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

/** A finite number, or a string that contains a finite number. */
export const number: Member<number> = {
  read: (value) => {
    if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return undefined;
    return Number.isFinite(Number(value)) ? Number(value) : undefined;
  },
};

/** A boolean, or a string that contains a boolean. */
export const flag: Member<boolean> = {
  read: (value) => {
    if (value === true || value === 'true') return true;
    return value === false || value === 'false' ? false : undefined;
  },
};

/** A time in ISO 8601. */
export const time: Member<string> = {
  read: (value) => (typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined),
};

/** Returns a list; invalid items are dropped. */
export function list<V>(item: Member<V>): Member<V[]> {
  return {
    read: (value) => {
      if (!Array.isArray(value)) return undefined;
      const items = value.map((one) => (one === null ? undefined : item.read(one)));
      return items.filter((one) => one !== undefined);
    },
    empty: () => [],
  };
}

/** Returns an object within a record. */
export function object<T extends object>(members: Members<T>): Member<T> {
  const correct = correction(members);
  const read = (value: unknown): T | undefined => {
    if (!isJsonObject(value)) return undefined;
    correct(value);
    return value as T;
  };
  // The default also includes the defaults of the object's own members.
  return { read, empty: () => read({}) as T };
}

/** Returns an optional member, for which no default is added. */
export function optional<V>({ read }: Member<V>): Member<V> {
  return { read };
}

/**
 * Returns a record. `proof` lists required members, which identify the record or prove the effect of the request. At
 * least one member of `signs` must be present, so that an unrelated object is rejected.
 */
export function record<T extends object>(
  members: Members<T>,
  proof: readonly (keyof T & string)[],
  signs: readonly (keyof T & string)[] = [],
): ReplyShape {
  const correct = correction(members);
  return {
    problem: (value) => {
      if (!isJsonObject(value)) return 'a body that is not a JSON object';
      const missing = proof.find((name) => members[name].read(value[name]) === undefined);
      if (missing !== undefined) return `a record without a valid "${missing}"`;
      const isOne = signs.length === 0 || signs.some((name) => members[name].read(value[name]) !== undefined);
      return isOne ? undefined : `a record without any of ${signs.join(', ')}`;
    },
    correct: (value) => {
      if (isJsonObject(value)) correct(value);
    },
  };
}

const paging = object<{ page: number; perPage: number; totalPages: number }>({
  page: number,
  perPage: number,
  totalPages: number,
});
const envelope = correction<{ paging: object; navigation: object }>({
  paging: optional(paging),
  navigation: optional(object<{ nextPage: object }>({ nextPage: optional(object({})) })),
});

/** Returns a list of records, or a page of it. */
export function listOf(item: ReplyShape): ReplyShape {
  return {
    problem: (value) => {
      if (!isJsonObject(value) || !Array.isArray(value['records']))
        return 'a body that is not a list of records';
      for (const one of value['records']) {
        const problem = item.problem(one);
        if (problem !== undefined) return `a list with ${problem}`;
      }
      return undefined;
    },
    correct: (value) => {
      if (!isJsonObject(value) || !Array.isArray(value['records'])) return;
      envelope(value);
      for (const one of value['records']) item.correct(one);
    },
  };
}

/**
 * Returns a page of a list whose `records` are optional in the published reply: a page without `records` has none. The
 * page must then have `paging`, so that an unrelated object is rejected.
 */
export function pageOf(item: ReplyShape): ReplyShape {
  const list = listOf(item);
  const isEmpty = (value: unknown): value is Record<string, unknown> =>
    isJsonObject(value) && value['records'] === undefined && isJsonObject(value['paging']);
  return {
    problem: (value) => (isEmpty(value) ? undefined : list.problem(value)),
    correct: (value) => {
      if (isEmpty(value)) value['records'] = [];
      list.correct(value);
    },
  };
}

/**
 * Returns a list whose `records` are optional in the published reply: a reply without `records` has none. It must then
 * have no other members than an address, so that an unrelated object is rejected.
 */
export function optionalListOf(item: ReplyShape): ReplyShape {
  const list = listOf(item);
  const isEmpty = (value: unknown): value is Record<string, unknown> =>
    isJsonObject(value) && Object.keys(value).every((name) => name === 'uri');
  return {
    problem: (value) => (isEmpty(value) ? undefined : list.problem(value)),
    correct: (value) => {
      if (isEmpty(value)) value['records'] = [];
      list.correct(value);
    },
  };
}

/** A reply without a body: 204. */
export const nothing: ReplyShape = {
  emptyStatuses: [204],
  problem: () => 'an unexpected body',
  correct: () => undefined,
};

const emptyOrSuccess = [200, 204] as const;

/** A reply without a body, for operations that are documented with 200 and with 204. */
export const nothingOr200: ReplyShape = { ...nothing, emptyStatuses: emptyOrSuccess };

/** Returns an optional body of this shape, for operations whose reply is documented in different ways. */
export function nothingOr(shape: ReplyShape): ReplyShape {
  return { ...shape, emptyStatuses: emptyOrSuccess };
}

function correction<T extends object>(members: Members<T>): (value: object) => void {
  const all = Object.entries<Member<unknown>>(members);
  return (value) => {
    const target = value as Record<string, unknown>;
    for (const [name, { read, empty }] of all) {
      const given = target[name];
      const found = given === undefined || given === null ? undefined : read(given);
      if (found !== undefined) {
        if (found !== given) target[name] = found;
      } else if (empty) target[name] = empty();
      else if (name in target) delete target[name];
    }
  };
}
