import { dialects, type DialectName } from '../contract/dialects.ts';
import { isE164 } from '../platform/e164.ts';
import { parseBaseUrl } from '../platform/base-url.ts';
import { checkHosts } from '../platform/check-hosts.ts';
import { secondsIn } from '../platform/duration.ts';
import { readQuietHours } from '../platform/quiet-hours.ts';
import { zoneProblem } from '../platform/time-zone.ts';
import type { ProfileValues, SettingKey } from './setting-key.ts';
import { storeKey } from './store-setting.ts';
import {
  checkPrefixes,
  checkRedirectUris,
  checkToolNames,
  checkToolsExist,
  fromList,
  fromNumber,
  fromText,
  nonEmpty,
  oneOf,
  wholeNumberIn,
} from './setting-readers.ts';

const dialectNames = ['spec', 'current'] as const satisfies readonly DialectName[];
const outputs = ['table', 'json', 'ndjson', 'csv', 'tsv', 'yaml'] as const;

type Keys = { readonly [M in keyof ProfileValues]: SettingKey<M> };

/** Every setting of a profile, in the order in which they are shown. */
export const settingKeys: Keys = {
  baseUrl: fromText('baseUrl', {
    key: 'base-url',
    variable: 'UCCTL_BASE_URL',
    flag: '--base-url',
    summary: 'Base URL of the service',
    read: (text) => parseBaseUrl(text).href.replace(/\/$/, ''),
  }),
  clientId: fromText('clientId', {
    key: 'client-id',
    variable: 'UCCTL_CLIENT_ID',
    flag: undefined,
    summary: 'Client ID of the app',
    read: (text) => nonEmpty(text, 'a client ID'),
  }),
  redirectUris: fromList('redirectUris', {
    key: 'redirect-uris',
    variable: 'UCCTL_REDIRECT_URIS',
    flag: undefined,
    summary: 'Registered redirect URIs, in order of preference',
    items: 'URIs',
    readItems: checkRedirectUris,
  }),
  store: storeKey,
  timeoutSeconds: fromNumber('timeoutSeconds', {
    key: 'timeout',
    variable: 'UCCTL_TIMEOUT',
    flag: '--timeout',
    summary:
      'Maximum time to wait without receiving data, in seconds; the whole reply may take 10 times as long',
    numberIn: secondsIn,
    least: 1,
    most: 3600,
    words: 'a duration from 1 to 3600 seconds, such as 30 or 2m',
  }),
  language: fromText('language', {
    key: 'language',
    variable: 'UCCTL_LANG',
    flag: '--lang',
    summary: 'Language of descriptions and messages from the service',
    read(text) {
      if (!/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(text)) {
        throw new RangeError(`"${text}" is not a valid language tag such as en-US`);
      }
      return text;
    },
  }),
  output: fromText('output', {
    key: 'output',
    variable: 'UCCTL_OUTPUT',
    flag: '--output',
    summary: 'Output format',
    read: (text) => oneOf(outputs, text),
  }),
  tz: fromText('tz', {
    key: 'tz',
    variable: 'UCCTL_TZ',
    flag: '--tz',
    summary: 'Time zone for dates and displayed times, e.g. Europe/Paris',
    read(text) {
      const problem = zoneProblem(text);
      if (problem !== undefined) throw new RangeError(`${problem}; use UTC or a name such as Europe/Paris`);
      return text;
    },
  }),
  protect: fromList('protect', {
    key: 'protect',
    variable: 'UCCTL_PROTECT',
    flag: '--protect',
    summary:
      'Agents whom ucctl must not remove from a queue, and people and owners of business hours whom it must not change',
    items: 'names',
    readItems: (names) => names,
  }),
  dialect: fromText('dialect', {
    key: 'dialect',
    variable: 'UCCTL_DIALECT',
    flag: '--dialect',
    summary: 'API dialect: spec (as specified) or current (as deployed)',
    read: (text) => oneOf(dialectNames, text),
  }),
  chatPath: fromText('chatPath', {
    key: 'chat-path',
    variable: 'UCCTL_CHAT_PATH',
    flag: undefined,
    summary: 'Base path for chat webhooks',
    read(text) {
      if (!/^(\/[A-Za-z0-9._~-]+)+$/.test(text) || /\/\.{1,2}(\/|$)/.test(text)) {
        throw new RangeError(`"${text}" is not a valid path such as ${dialects.spec.chatPath}`);
      }
      return text;
    },
  }),
  channelTransport: fromText('channelTransport', {
    key: 'channel-transport',
    variable: 'UCCTL_CHANNEL_TRANSPORT',
    flag: undefined,
    summary: 'Transport name of the hosted channel in subscriptions',
    read(text) {
      if (!/^[A-Za-z][A-Za-z0-9/_-]{0,63}$/.test(text)) {
        throw new RangeError(
          `"${text}" is not a valid transport name; a name starts with a letter and has at most 64 letters, digits, / _ or -, for example ${dialects.spec.channelTransport}`,
        );
      }
      return text;
    },
  }),
  ringoutPath: fromText('ringoutPath', {
    key: 'ringout-path',
    variable: 'UCCTL_RINGOUT_PATH',
    flag: undefined,
    summary: 'Path for RingOut calls: ringout or ring-out',
    read: (text) => oneOf(['ringout', 'ring-out'], text),
  }),
  mediaHosts: fromList('mediaHosts', {
    key: 'media-hosts',
    variable: 'UCCTL_MEDIA_HOSTS',
    flag: undefined,
    summary: 'Hosts, besides the base URL, that receive the token for recordings and attachments',
    items: 'hosts',
    readItems: checkHosts,
  }),
  webhookLimitMilliseconds: fromNumber('webhookLimitMilliseconds', {
    key: 'webhook-limit',
    variable: 'UCCTL_WEBHOOK_LIMIT',
    flag: undefined,
    summary: 'Time limit for replies to webhook notifications, in milliseconds',
    numberIn: (text) => wholeNumberIn(text.trim().replace(/ms$/, '')),
    least: 1,
    most: 60_000,
    words: 'a whole number of milliseconds from 1 to 60000',
  }),
  defaultCountry: fromText('defaultCountry', {
    key: 'default-country',
    variable: 'UCCTL_DEFAULT_COUNTRY',
    flag: undefined,
    summary: 'Default country of phone numbers without a calling code, as two letters (US)',
    read(text) {
      if (!/^[A-Za-z]{2}$/.test(text))
        throw new RangeError(`"${text}" is not a valid two-letter country code, such as US or GB`);
      return text.toUpperCase();
    },
  }),
  smsFrom: fromText('smsFrom', {
    key: 'sms-from',
    variable: 'UCCTL_SMS_FROM',
    flag: '--from',
    summary: 'Sender number for texts; set by the last --from',
    read(text) {
      if (!isE164(text)) throw new RangeError(`"${text}" is not a valid phone number such as +15551234567`);
      return text;
    },
  }),
  allowPrefixes: fromList('allowPrefixes', {
    key: 'allow-prefixes',
    variable: 'UCCTL_ALLOW_PREFIXES',
    flag: undefined,
    summary: 'Policy: allowed number prefixes; all others are blocked',
    items: 'number prefixes',
    readItems: checkPrefixes,
  }),
  forbidPrefixes: fromList('forbidPrefixes', {
    key: 'forbid-prefixes',
    variable: 'UCCTL_FORBID_PREFIXES',
    flag: undefined,
    summary: 'Policy: blocked number prefixes',
    items: 'number prefixes',
    readItems: checkPrefixes,
  }),
  quietHours: fromText('quietHours', {
    key: 'quiet-hours',
    variable: 'UCCTL_QUIET_HOURS',
    flag: undefined,
    summary:
      'Policy: hours without calls and texts, e.g. 22:00-07:00 Europe/Berlin; default zone: that of this machine',
    read: (text) => readQuietHours(text).text,
  }),
  maxPerHour: fromNumber('maxPerHour', {
    key: 'max-per-hour',
    variable: 'UCCTL_MAX_PER_HOUR',
    flag: undefined,
    summary: 'Policy: maximum number of messages and calls per hour',
    numberIn: wholeNumberIn,
    least: 0,
    words: 'a whole number of at least 0',
  }),
  mcpAllow: fromList('mcpAllow', {
    key: 'mcp-allow',
    variable: 'UCCTL_MCP_ALLOW',
    flag: undefined,
    summary: 'Policy: tools of ucctl mcp that may make changes; * for all (default: none)',
    items: 'tools',
    readItems: checkToolNames,
    checkNew: checkToolsExist,
  }),
  readOnly: {
    key: 'read-only',
    member: 'readOnly',
    variable: 'UCCTL_READ_ONLY',
    flag: undefined,
    summary: 'Policy: block every change on the service',
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
  // Validated where it is used, because an error message here would show a password in the address.
  proxy: fromText('proxy', {
    key: 'proxy',
    variable: 'HTTPS_PROXY',
    variables: ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
    flag: '--proxy',
    summary: 'HTTP proxy',
    read: (text) => nonEmpty(text, 'the address of a proxy'),
  }),
  mediaStore: fromText('mediaStore', {
    key: 'media-store',
    variable: 'UCCTL_MEDIA_STORE',
    flag: undefined,
    summary: 'Location of copied attachments: a folder or s3://BUCKET/PREFIX',
    read: (text) => nonEmpty(text, 'a folder or s3://BUCKET/PREFIX'),
  }),
  caFile: fromText('caFile', {
    key: 'ca-file',
    variable: 'UCCTL_CA_FILE',
    flag: '--ca-file',
    summary: 'PEM file with additional certificate authorities',
    read: (text) => nonEmpty(text, 'a file'),
  }),
  retry: fromNumber('retry', {
    key: 'retry',
    variable: 'UCCTL_RETRY',
    flag: '--retry',
    summary: 'Maximum number of retries per request',
    numberIn: wholeNumberIn,
    least: 0,
    most: 20,
    words: 'a whole number from 0 to 20',
  }),
  maxWaitSeconds: fromNumber('maxWaitSeconds', {
    key: 'max-wait',
    variable: 'UCCTL_MAX_WAIT',
    flag: '--max-wait',
    summary: 'Maximum time that a request waits for rate limits, in seconds',
    numberIn: secondsIn,
    least: 0,
    most: 86_400,
    words: 'a duration from 0 to 86400 seconds, such as 30 or 2m',
  }),
};
