import { suggest } from '../platform/suggest.ts';
import { toolNames } from '../runtime/tool-names.ts';
import type { ProfileValues, SettingKey } from './setting-key.ts';
import { maskUserInfo } from '../platform/user-info.ts';

type Member = keyof ProfileValues;
type Named<M extends Member> = Pick<
  SettingKey<M>,
  'key' | 'variable' | 'variables' | 'flag' | 'summary' | 'checkNew'
>;
type MemberOf<T> = { [M in Member]: ProfileValues[M] extends T ? M : never }[Member];

/** Defines a setting that the config file stores as the text that the user writes. */
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

/** Defines a setting with several texts, separated by commas on the command line. `items` names them in messages. */
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

/** Defines a setting with a whole number. */
export function fromNumber<M extends MemberOf<number>>(
  member: M,
  spec: Named<M> & {
    /** Parses the number; NaN if the text is not a number. */
    readonly numberIn: (text: string) => number;
    readonly least: number;
    readonly most?: number;
    /** Description of valid values: `a duration from 1 to 3600 seconds`. */
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

/** Parses a whole number; NaN for any other text. */
export function wholeNumberIn(text: string): number {
  return /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
}

function trimmed(items: readonly string[]): readonly string[] {
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

/** Checks that the text is one of the choices. @throws {RangeError} that lists them. */
export function oneOf<const V extends string>(choices: readonly V[], text: string): V {
  const found = choices.find((choice) => choice === text);
  if (!found) throw new RangeError(`"${text}" is not a valid value; use one of ${choices.join(', ')}`);
  return found;
}

/** Checks that a text is not empty. `what` describes a valid text in the message. */
export function nonEmpty(text: string, what: string): string {
  if (text.trim() === '') throw new RangeError(`must not be empty; specify ${what}`);
  return text.trim();
}

/** Checks the redirect URIs of a sign-in. */
export function checkRedirectUris(uris: readonly string[]): readonly string[] {
  if (uris.length === 0) throw new RangeError('must contain at least one address');
  for (const uri of uris) {
    const url = URL.canParse(uri) ? new URL(uri) : undefined;
    if (!url) throw new RangeError(`"${maskUserInfo(uri)}" is not a valid address`);
    // The second condition is for an address without https://.
    if (url.username || url.password || /^[^/?#]*@/.test(uri))
      throw new RangeError('a redirect URI must not contain a user name or password');
  }
  return uris;
}

/** Checks names of `ucctl mcp` tools, or `*`. */
export function checkToolNames(names: readonly string[]): readonly string[] {
  for (const name of names) {
    if (!/^([a-z]+(_[a-z]+)*|\*)$/.test(name))
      throw new RangeError(`"${name}" is not a valid tool name such as sms_send, or *`);
  }
  return names;
}

/** Checks that this version has all named tools. @throws {RangeError} that lists the tools. */
export function checkToolsExist(names: readonly string[]): void {
  const unknown = names.find((name) => name !== '*' && !toolNames.some((tool) => tool === name));
  if (unknown === undefined) return;
  const near = suggest(unknown, toolNames);
  const advice = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `tools: ${toolNames.join(', ')}`;
  throw new RangeError(`tool "${unknown}" not found; ${advice}`);
}

/** Checks prefixes of E.164 numbers. */
export function checkPrefixes(prefixes: readonly string[]): readonly string[] {
  for (const prefix of prefixes) {
    if (!/^\+[1-9]\d{0,14}$/.test(prefix))
      throw new RangeError(`"${prefix}" is not a valid number prefix such as +1650`);
  }
  return prefixes;
}
