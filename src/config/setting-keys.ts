import { DIALECTS, type DialectName } from '../contract/dialects.ts';
import { isE164 } from '../platform/e164.ts';
import { parseBaseUrl } from '../platform/base-url.ts';
import type { OutputFormat } from '../runtime/output.ts';

/** The settings that a profile may hold. Secrets are not among them: those live in the token store. */
export interface ProfileValues {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly redirectUris: readonly string[];
  readonly store: 'keychain' | 'file' | 'memory';
  readonly timeoutSeconds: number;
  readonly language: string;
  readonly output: OutputFormat;
  readonly protect: readonly string[];
  readonly dialect: DialectName;
  readonly chatPath: string;
  readonly channelTransport: string;
  readonly ringoutPath: 'ringout' | 'ring-out';
  readonly mediaHosts: readonly string[];
  readonly webhookLimitMilliseconds: number;
  readonly defaultCountry: string;
  readonly smsFrom: string;
  readonly allowPrefixes: readonly string[];
  readonly forbidPrefixes: readonly string[];
  readonly quietHours: string;
  readonly maxPerHour: number;
  readonly readOnly: boolean;
  readonly proxy: string;
  readonly caFile: string;
  readonly retry: number;
  readonly maxWaitSeconds: number;
}

/** One setting: its names, and how its value is read and checked. */
export interface SettingKey<M extends keyof ProfileValues = keyof ProfileValues> {
  /** Its name in `ucctl config set`. */
  readonly key: string;
  /** Its member in a profile of the config file. */
  readonly member: M;
  readonly variable: string;
  /** Another name of the variable, looked at first. */
  readonly elderVariable?: string;
  readonly flag: string | undefined;
  readonly summary: string;
  /** Reads it from text. @throws {RangeError} with a sentence for the user. */
  read(text: string): ProfileValues[M];
  /** Checks a value from the config file. @throws {RangeError} with a sentence for the user. */
  check(value: unknown): ProfileValues[M];
}

const STORES = ['keychain', 'file', 'memory'] as const;
const DIALECT_NAMES = ['spec', 'current'] as const satisfies readonly DialectName[];
const OUTPUTS = ['table', 'json', 'ndjson', 'csv', 'tsv', 'yaml'] as const;

type Keys = { readonly [M in keyof ProfileValues]: SettingKey<M> };

/** Every setting of a profile, in the order in which they are shown. */
export const settingKeys: Keys = {
  baseUrl: fromText('baseUrl', {
    key: 'base-url',
    variable: 'UCCTL_BASE_URL',
    flag: '--base-url',
    summary: 'Address of the service',
    read: (text) => parseBaseUrl(text).href.replace(/\/$/, ''),
  }),
  clientId: fromText('clientId', {
    key: 'client-id',
    variable: 'UCCTL_CLIENT_ID',
    flag: undefined,
    summary: 'Application key',
    read: (text) => nonEmpty(text, 'an application key'),
  }),
  redirectUris: {
    key: 'redirect-uris',
    member: 'redirectUris',
    variable: 'UCCTL_REDIRECT_URIS',
    flag: undefined,
    summary: 'Registered redirect addresses, in order of preference',
    read: (text) => readRedirectUris(text.split(',')),
    check(value) {
      if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
        throw new RangeError('must be a list of addresses');
      }
      return readRedirectUris(value);
    },
  },
  store: fromText('store', {
    key: 'store',
    variable: 'UCCTL_STORE',
    flag: '--store',
    summary: 'Where the session is kept',
    read: (text) => oneOf(STORES, text),
  }),
  timeoutSeconds: {
    key: 'timeout',
    member: 'timeoutSeconds',
    variable: 'UCCTL_TIMEOUT',
    flag: '--timeout',
    summary: 'Seconds a request may take',
    read: (text) => seconds(/^\d+s?$/.test(text.trim()) ? Number.parseInt(text, 10) : Number.NaN),
    check: seconds,
  },
  language: fromText('language', {
    key: 'language',
    variable: 'UCCTL_LANG',
    flag: '--lang',
    summary: 'Language of texts from the service',
    read(text) {
      if (!/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(text)) {
        throw new RangeError(`"${text}" is not a language such as en-US`);
      }
      return text;
    },
  }),
  output: fromText('output', {
    key: 'output',
    variable: 'UCCTL_OUTPUT',
    flag: '--output',
    summary: 'Format of results',
    read: (text) => oneOf(OUTPUTS, text),
  }),
  protect: {
    key: 'protect',
    member: 'protect',
    variable: 'UCCTL_PROTECT',
    flag: '--protect',
    summary: 'Agents who are never removed from a queue',
    read: (text) => readNames(text.split(',')),
    check(value) {
      if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
        throw new RangeError('must be a list of names');
      }
      return readNames(value);
    },
  },
  dialect: fromText('dialect', {
    key: 'dialect',
    variable: 'UCCTL_DIALECT',
    flag: '--dialect',
    summary: 'Names and paths of the service: spec as specified, current as services have them now',
    read: (text) => oneOf(DIALECT_NAMES, text),
  }),
  chatPath: fromText('chatPath', {
    key: 'chat-path',
    variable: 'UCCTL_CHAT_PATH',
    flag: undefined,
    summary: 'Path that chat webhooks are below',
    read(text) {
      if (!/^(\/[A-Za-z0-9._~-]+)+$/.test(text) || /\/\.{1,2}(\/|$)/.test(text)) {
        throw new RangeError(`"${text}" is not a path such as ${DIALECTS.spec.chatPath}`);
      }
      return text;
    },
  }),
  channelTransport: fromText('channelTransport', {
    key: 'channel-transport',
    variable: 'UCCTL_CHANNEL_TRANSPORT',
    flag: undefined,
    summary: "Name of the hosted channel's transport in subscriptions",
    read(text) {
      if (!/^[A-Za-z][A-Za-z0-9/_-]{0,63}$/.test(text)) {
        throw new RangeError(`"${text}" is not a name such as ${DIALECTS.spec.channelTransport}`);
      }
      return text;
    },
  }),
  ringoutPath: fromText('ringoutPath', {
    key: 'ringout-path',
    variable: 'UCCTL_RINGOUT_PATH',
    flag: undefined,
    summary: "Spelling of the two-legged call's path: ringout or ring-out",
    read: (text) => oneOf(['ringout', 'ring-out'], text),
  }),
  mediaHosts: {
    key: 'media-hosts',
    member: 'mediaHosts',
    variable: 'UCCTL_MEDIA_HOSTS',
    flag: undefined,
    summary: 'Hosts beside the base URL that get the token for recordings and attachments',
    read: (text) => readHosts(text.split(',')),
    check(value) {
      if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
        throw new RangeError('must be a list of hosts');
      }
      return readHosts(value);
    },
  },
  webhookLimitMilliseconds: {
    key: 'webhook-limit',
    member: 'webhookLimitMilliseconds',
    variable: 'UCCTL_WEBHOOK_LIMIT',
    flag: undefined,
    summary: 'Milliseconds in which a notification must be answered',
    read: (text) => milliseconds(/^\d+(ms)?$/.test(text.trim()) ? Number.parseInt(text, 10) : Number.NaN),
    check: milliseconds,
  },
  defaultCountry: fromText('defaultCountry', {
    key: 'default-country',
    variable: 'UCCTL_DEFAULT_COUNTRY',
    flag: undefined,
    summary: 'Country of numbers written without a country code, by two letters',
    read(text) {
      if (!/^[A-Za-z]{2}$/.test(text)) throw new RangeError(`"${text}" is not a country such as US or GB`);
      return text.toUpperCase();
    },
  }),
  smsFrom: fromText('smsFrom', {
    key: 'sms-from',
    variable: 'UCCTL_SMS_FROM',
    flag: '--from',
    summary: 'Number that texts go out from; that of the last --from',
    read(text) {
      if (!isE164(text)) throw new RangeError(`"${text}" is not a number such as +15551234567`);
      return text;
    },
  }),
  allowPrefixes: prefixes(
    'allowPrefixes',
    'allow-prefixes',
    'Policy: only numbers that begin with one of these',
  ),
  forbidPrefixes: prefixes(
    'forbidPrefixes',
    'forbid-prefixes',
    'Policy: no numbers that begin with one of these',
  ),
  quietHours: fromText('quietHours', {
    key: 'quiet-hours',
    variable: 'UCCTL_QUIET_HOURS',
    flag: undefined,
    summary: 'Policy: nobody is called or texted then, e.g. 22:00-07:00 Europe/Berlin',
    read(text) {
      if (!/^\d{1,2}:\d{2}\s*-\s*\d{1,2}:\d{2}(\s+[\w+/-]+)?$/.test(text.trim())) {
        throw new RangeError(`"${text}" is not a time of day such as 22:00-07:00 Europe/Berlin`);
      }
      return text.trim();
    },
  }),
  maxPerHour: {
    key: 'max-per-hour',
    member: 'maxPerHour',
    variable: 'UCCTL_MAX_PER_HOUR',
    flag: undefined,
    summary: 'Policy: most messages and calls in an hour',
    read: (text) => perHour(/^\d{1,7}$/.test(text.trim()) ? Number(text) : Number.NaN),
    check: perHour,
  },
  readOnly: {
    key: 'read-only',
    member: 'readOnly',
    variable: 'UCCTL_READ_ONLY',
    flag: undefined,
    summary: 'Policy: nothing is changed at the service',
    read(text) {
      const word = text.trim().toLowerCase();
      if (!['true', 'false', '1', '0', 'yes', 'no'].includes(word))
        throw new RangeError('must be true or false');
      return ['true', '1', 'yes'].includes(word);
    },
    check(value) {
      if (typeof value !== 'boolean') throw new RangeError('must be true or false');
      return value;
    },
  },
  // Whether it is an address is said where it is used: the text may hold a password.
  proxy: fromText('proxy', {
    key: 'proxy',
    variable: 'HTTPS_PROXY',
    elderVariable: 'https_proxy',
    flag: '--proxy',
    summary: 'HTTP proxy to go through',
    read: (text) => nonEmpty(text, 'the address of a proxy'),
  }),
  caFile: fromText('caFile', {
    key: 'ca-file',
    variable: 'UCCTL_CA_FILE',
    flag: '--ca-file',
    summary: 'Certificate authorities to trust as well, PEM',
    read: (text) => nonEmpty(text, 'a file'),
  }),
  retry: {
    key: 'retry',
    member: 'retry',
    variable: 'UCCTL_RETRY',
    flag: '--retry',
    summary: 'Further tries of a request that may be repeated',
    read: (text) => whole(/^\d+$/.test(text.trim()) ? Number(text) : Number.NaN, 20, 'tries'),
    check: (value) => whole(value, 20, 'tries'),
  },
  maxWaitSeconds: {
    key: 'max-wait',
    member: 'maxWaitSeconds',
    variable: 'UCCTL_MAX_WAIT',
    flag: '--max-wait',
    summary: "Longest wait of one request for the service's rate limits, in seconds",
    read: (text) =>
      whole(/^\d+s?$/.test(text.trim()) ? Number.parseInt(text, 10) : Number.NaN, 86_400, 'seconds'),
    check: (value) => whole(value, 86_400, 'seconds'),
  },
};

function prefixes<M extends 'allowPrefixes' | 'forbidPrefixes'>(
  member: M,
  key: string,
  summary: string,
): SettingKey<M> {
  return {
    key,
    member,
    variable: `UCCTL_${key.toUpperCase().replace('-', '_')}`,
    flag: undefined,
    summary,
    read: (text) => readPrefixes(text.split(',')),
    check(value) {
      if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
        throw new RangeError('must be a list of beginnings of numbers');
      }
      return readPrefixes(value);
    },
  };
}

function readPrefixes(items: readonly string[]): readonly string[] {
  const found = items.map((item) => item.trim()).filter((item) => item !== '');
  for (const item of found) {
    if (!/^\+[1-9]\d{0,14}$/.test(item))
      throw new RangeError(`"${item}" is not the beginning of a number such as +1650`);
  }
  return found;
}

function perHour(value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) {
    throw new RangeError('must be a whole number from 0');
  }
  return value;
}

function whole(value: unknown, most: number, what: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > most) {
    throw new RangeError(`must be whole ${what} from 0 to ${most}`);
  }
  return value;
}

function readNames(items: readonly string[]): readonly string[] {
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

function fromText<M extends keyof ProfileValues>(
  member: M,
  spec: Omit<SettingKey<M>, 'member' | 'check'>,
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

function oneOf<const V extends string>(choices: readonly V[], text: string): V {
  const found = choices.find((choice) => choice === text);
  if (!found) throw new RangeError(`"${text}" is none of ${choices.join(', ')}`);
  return found;
}

function nonEmpty(text: string, what: string): string {
  if (text.trim() === '') throw new RangeError(`must be ${what}, not empty`);
  return text.trim();
}

function seconds(value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > 3600) {
    throw new RangeError('must be whole seconds from 1 to 3600');
  }
  return value;
}

function milliseconds(value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > 60_000) {
    throw new RangeError('must be whole milliseconds from 1 to 60000');
  }
  return value;
}

/** Host names, with a port where it is not the usual one. A token goes there, so nothing vague is taken. */
function readHosts(items: readonly string[]): readonly string[] {
  const hosts = items.map((item) => item.trim().toLowerCase()).filter((item) => item !== '');
  for (const host of hosts) {
    if (!/^(\[[0-9a-f:]+\]|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)(:\d{1,5})?$/.test(host) || host.includes('..')) {
      throw new RangeError(`"${host}" is not a host such as media.example.com`);
    }
  }
  return hosts;
}

function readRedirectUris(items: readonly string[]): readonly string[] {
  const uris = items.map((item) => item.trim()).filter((item) => item !== '');
  if (uris.length === 0) throw new RangeError('must hold at least one address');
  for (const uri of uris) {
    if (!URL.canParse(uri)) throw new RangeError(`"${uri}" is not an address`);
  }
  return uris;
}
