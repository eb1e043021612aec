import { isJsonObject } from '../../platform/json.ts';

/** Reads one member of a reply. */
export interface Member<V> {
  /** The value as the contract types it; undefined for something else. */
  readonly read: (value: unknown) => V | undefined;
  /** What stands for a member that is missing, where the contract says that it is always there and the program reads into it. */
  readonly empty?: () => V;
}

/** A reader for each member of a type of the contract, also for those that may be missing. */
export type Members<T> = { readonly [K in keyof T]-?: Member<NonNullable<T[K]>> };

/** What the reply of one operation must be. */
export interface ReplyShape {
  /** Whether a reply without a body is one. */
  readonly mayBeEmpty?: boolean;
  /** What keeps a value from being such a reply, in words; undefined when nothing does. */
  readonly lack: (value: unknown) => string | undefined;
  /** Corrects in place what the program could trip over; to be called for a value that lacks nothing. */
  readonly correct: (value: unknown) => void;
}

/** A string; a number is taken as its digits. */
export const text: Member<string> = {
  read: (value) => {
    if (typeof value === 'string') return value;
    return typeof value === 'number' ? String(value) : undefined;
  },
};

/** An id that is opaque to clients. */
export const key: Member<string> = {
  read: (value) =>
    typeof value === 'number' && !Number.isSafeInteger(value) ? undefined : text.read(value) || undefined,
};

/** An id that is made of digits; it may be longer than a number can hold. */
export const digits: Member<string | number> = {
  read: (value) => {
    const isNumber = typeof value === 'number' && Number.isSafeInteger(value);
    return isNumber || (typeof value === 'string' && /^\d+$/.test(value)) ? value : undefined;
  },
};

/** A finite number; one that is written as a string is taken as well. */
export const number: Member<number> = {
  read: (value) => {
    if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return undefined;
    return Number.isFinite(Number(value)) ? Number(value) : undefined;
  },
};

/** True or false; one that is written as a string is taken as well. */
export const flag: Member<boolean> = {
  read: (value) => {
    if (value === true || value === 'true') return true;
    return value === false || value === 'false' ? false : undefined;
  },
};

/** A moment in ISO 8601. */
export const time: Member<string> = {
  read: (value) => (typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined),
};

/** A list; items that are not as documented are dropped. */
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

/** An object that is part of a record. */
export function object<T extends object>(members: Members<T>): Member<T> {
  const correct = correction(members);
  const read = (value: unknown): T | undefined => {
    if (!isJsonObject(value)) return undefined;
    correct(value);
    return value as T;
  };
  // The members of an empty one are filled in as well.
  return { read, empty: () => read({}) as T };
}

/** A member that may be missing, though the program reads into it where it is there. */
export function optional<V>({ read }: Member<V>): Member<V> {
  return { read };
}

/**
 * A record; `proof` names the members without which it is not one: those that identify it, and those that prove what the request did. Of
 * `signs` it needs any one: an object of somebody else has none of them.
 */
export function record<T extends object>(
  members: Members<T>,
  proof: readonly (keyof T & string)[],
  signs: readonly (keyof T & string)[] = [],
): ReplyShape {
  const correct = correction(members);
  return {
    lack: (value) => {
      if (!isJsonObject(value)) return 'something that is no record';
      const lacking = proof.find((name) => members[name].read(value[name]) === undefined);
      if (lacking !== undefined) return `a record without a valid "${lacking}"`;
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

/** A list of such records: a page of one, or one that is not paged. */
export function listOf(item: ReplyShape): ReplyShape {
  return {
    lack: (value) => {
      if (!isJsonObject(value) || !Array.isArray(value['records']))
        return 'something that is no list of records';
      for (const one of value['records']) {
        const lacking = item.lack(one);
        if (lacking !== undefined) return `a list with ${lacking}`;
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

/** A reply without a body. */
export const nothing: ReplyShape = {
  mayBeEmpty: true,
  lack: () => 'a body where none is documented',
  correct: () => undefined,
};

/** The reply of an operation whose body is not documented everywhere: none, or such a one. */
export function nothingOr(shape: ReplyShape): ReplyShape {
  return { ...shape, mayBeEmpty: true };
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
