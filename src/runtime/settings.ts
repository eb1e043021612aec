import type { OutputFormat } from './output.ts';

/** A value of a setting and where it came from, for `config list --show-origin`. */
export interface Setting<T> {
  readonly value: T;
  readonly origin: 'flag' | 'environment' | 'profile' | 'default';
  /** The flag, variable or file it came from. */
  readonly source: string;
}

/** The resolved settings of one run: flag > environment > profile > default. */
export interface Settings {
  readonly profile: Setting<string>;
  readonly baseUrl: Setting<string | undefined>;
  readonly clientId: Setting<string | undefined>;
  /** Never from a flag. */
  readonly clientSecret: Setting<string | undefined>;
  /** `UCCTL_TOKEN`: an access token for scripts; nothing is stored or refreshed. */
  readonly token: Setting<string | undefined>;
  readonly redirectUris: Setting<readonly string[]>;
  readonly store: Setting<'keychain' | 'file' | 'memory'>;
  /** Seconds a request may take. */
  readonly timeoutSeconds: Setting<number>;
  /** Sends Accept-Language. */
  readonly language: Setting<string | undefined>;
  /** Format that the profile prefers; flag and environment are settled before the profile is read. */
  readonly output?: Setting<OutputFormat | undefined>;
  /** Agents who are never removed from a queue, as the user names them. */
  readonly protect?: Setting<readonly string[]>;
  /** Gives the defaults of the group below: what differs between deployments of the service. */
  readonly dialect: Setting<'spec' | 'current'>;
  readonly chatPath: Setting<string>;
  readonly channelTransport: Setting<string>;
  readonly ringoutPath: Setting<'ringout' | 'ring-out'>;
  /** Hosts beside the base URL that may get the token, with a port where it is not the usual one. */
  readonly mediaHosts: Setting<readonly string[]>;
  readonly webhookLimitMilliseconds: Setting<number>;
  /** Two letters (ISO 3166); numbers without a country code are refused when it is not set. */
  readonly defaultCountry: Setting<string | undefined>;
  /** The number that texts go out from when none is named. */
  readonly smsFrom?: Setting<string | undefined>;
  /** The policy: beginnings of numbers that may, and may not, be reached. */
  readonly allowPrefixes?: Setting<readonly string[]>;
  readonly forbidPrefixes?: Setting<readonly string[]>;
  /** `22:00-07:00`, with a time zone where it is not this machine's. */
  readonly quietHours?: Setting<string | undefined>;
  /** Most messages and calls an hour. */
  readonly maxPerHour?: Setting<number | undefined>;
  /** Nothing may be changed at the service. */
  readonly readOnly?: Setting<boolean>;
  /** HTTP proxy; as given, so that it may hold a password: never shown as it is. */
  readonly proxy: Setting<string | undefined>;
  /** File of certificate authorities to trust as well. */
  readonly caFile: Setting<string | undefined>;
  /** Further tries of a request that may be repeated. */
  readonly retry: Setting<number>;
  /** Longest wait of one request for rate limits. */
  readonly maxWaitSeconds: Setting<number>;
  /** The config folder, where its file system has no owners: other users can change what is in it. */
  readonly ownerlessFolder?: string | undefined;
}
