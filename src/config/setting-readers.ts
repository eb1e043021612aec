import type { ProfileValues, SettingKey } from './setting-key.ts';

type Member = keyof ProfileValues;
type Named<M extends Member> = Pick<SettingKey<M>, 'key' | 'variable' | 'elderVariable' | 'flag' | 'summary'>;
type MemberOf<T> = { [M in Member]: ProfileValues[M] extends T ? M : never }[Member];

/** A setting that the config file holds as the text that a person writes. */
export function fromText<M extends Member>(
  member: M,
  spec: Named<M> & Pick<SettingKey<M>, 'read'>,
): SettingKey<M> {
  return {
    ...spec,
    member,
    check(value) {
      if (typeof value !== 'string') throw new RangeError('must be a string');
      return spec.read(value);
    },
  };
}

/** A setting of several texts, on one line with commas between them. `items` says what they are. */
export function fromList<M extends MemberOf<readonly string[]>>(
  member: M,
  spec: Named<M> & {
    readonly items: string;
    readonly readItems: (items: readonly string[]) => ProfileValues[M];
  },
): SettingKey<M> {
  const { items, readItems, ...named } = spec;
  return {
    ...named,
    member,
    read: (text) => readItems(trimmed(text.split(','))),
    check(value) {
      if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
        throw new RangeError(`must be a list of ${items}`);
      }
      return readItems(trimmed(value));
    },
  };
}

/** A setting of a whole number. */
export function fromNumber<M extends MemberOf<number>>(
  member: M,
  spec: Named<M> & {
    /** The number in a text; NaN where there is none. */
    readonly numberIn: (text: string) => number;
    readonly least: number;
    readonly most?: number;
    /** What it must be: `whole seconds from 1 to 3600`. */
    readonly words: string;
  },
): SettingKey<M> {
  const { numberIn, least, most = Number.POSITIVE_INFINITY, words, ...named } = spec;
  const check = (value: unknown): ProfileValues[M] => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
      throw new RangeError(`must be ${words}`);
    }
    return value;
  };
  return {
    ...named,
    member,
    read: (text) => check(numberIn(text)),
    check,
  };
}

/** A whole number and nothing else; NaN for any other text. */
export function wholeNumberIn(text: string): number {
  return /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
}

function trimmed(items: readonly string[]): readonly string[] {
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

/** One of a few words. @throws {RangeError} that names them. */
export function oneOf<const V extends string>(choices: readonly V[], text: string): V {
  const found = choices.find((choice) => choice === text);
  if (!found) throw new RangeError(`"${text}" is none of ${choices.join(', ')}`);
  return found;
}

/** A text that says something; `what` is what is missing otherwise. */
export function nonEmpty(text: string, what: string): string {
  if (text.trim() === '') throw new RangeError(`must be ${what}, not empty`);
  return text.trim();
}

/** Host names, with a port where it is not the usual one. A token goes there, so nothing vague is taken. */
export function checkHosts(items: readonly string[]): readonly string[] {
  const hosts = items.map((item) => item.toLowerCase());
  for (const host of hosts) {
    if (!/^(\[[0-9a-f:]+\]|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)(:\d{1,5})?$/.test(host) || host.includes('..')) {
      throw new RangeError(`"${host}" is not a host such as media.example.com`);
    }
  }
  return hosts;
}

/** Addresses that a sign-in may come back to. */
export function checkRedirectUris(uris: readonly string[]): readonly string[] {
  if (uris.length === 0) throw new RangeError('must hold at least one address');
  for (const uri of uris) {
    if (!URL.canParse(uri)) throw new RangeError(`"${uri}" is not an address`);
  }
  return uris;
}

/** Beginnings of numbers, from the country code on. */
export function checkPrefixes(prefixes: readonly string[]): readonly string[] {
  for (const prefix of prefixes) {
    if (!/^\+[1-9]\d{0,14}$/.test(prefix))
      throw new RangeError(`"${prefix}" is not the beginning of a number such as +1650`);
  }
  return prefixes;
}
