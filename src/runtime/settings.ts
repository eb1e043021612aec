import type { DialectName } from '../contract/dialects.ts';
import type { OutputFormat } from './output.ts';

export type { DialectName } from '../contract/dialects.ts';

/** A value of a setting with its origin, for `config list --show-origin`. */
export interface Setting<T> {
  readonly value: T;
  readonly origin: 'flag' | 'environment' | 'profile' | 'default';
  /** The flag, variable or file that sets the value. */
  readonly source: string;
}

/** The resolved settings of one run: flag > environment > profile > default. */
export interface Settings {
  readonly profile: Setting<string>;
  readonly baseUrl: Setting<string | undefined>;
  readonly clientId: Setting<string | undefined>;
  /** From UCCTL_CLIENT_SECRET; there is no flag for the secret. */
  readonly clientSecret: Setting<string | undefined>;
  /** `UCCTL_TOKEN`: an access token for scripts; nothing is stored or refreshed. */
  readonly token: Setting<string | undefined>;
  readonly redirectUris: Setting<readonly string[]>;
  /** Where the session is stored: on this machine, or in the PostgreSQL store if a key for it is set. */
  readonly store: Setting<'keychain' | 'file' | 'memory' | 'postgres'>;
  /** Address of the PostgreSQL store that machines share. It may contain a password, so it must be masked before it is shown. */
  readonly storeUrl: Setting<string | undefined>;
  /** Timeout of a request in seconds. */
  readonly timeoutSeconds: Setting<number>;
  /** Sent as Accept-Language. */
  readonly language: Setting<string | undefined>;
  /** Output format of the profile. Flag and environment are evaluated before the profile is read. */
  readonly output: Setting<OutputFormat | undefined>;
  /** Time zone for dates and displayed times; undefined for UTC. */
  readonly tz: Setting<string | undefined>;
  /** Agents that are never removed from a queue, as named by the user. */
  readonly protect: Setting<readonly string[]>;
  /** Selects the defaults of the following settings, which differ between deployments of the service. */
  readonly dialect: Setting<DialectName>;
  readonly chatPath: Setting<string>;
  readonly channelTransport: Setting<string>;
  readonly ringoutPath: Setting<'ringout' | 'ring-out'>;
  /** Hosts that get the token in addition to the base URL, with a port if it is not the default. */
  readonly mediaHosts: Setting<readonly string[]>;
  readonly webhookLimitMilliseconds: Setting<number>;
  /** Two letters (ISO 3166). Without it, numbers without a country code are invalid. */
  readonly defaultCountry: Setting<string | undefined>;
  /** The default sender number of texts. */
  readonly smsFrom: Setting<string | undefined>;
  /** Policy: number prefixes that may be called or texted. */
  readonly allowPrefixes: Setting<readonly string[]>;
  readonly forbidPrefixes: Setting<readonly string[]>;
  /** Policy: `22:00-07:00`, optionally with a time zone; by default the time zone of this machine. */
  readonly quietHours: Setting<string | undefined>;
  /** Policy: maximum number of messages and calls per hour. */
  readonly maxPerHour: Setting<number | undefined>;
  /** Policy: no changes on the service. */
  readonly readOnly: Setting<boolean>;
  /** Policy: tools of `ucctl mcp` that may make changes; `*` for all. */
  readonly mcpAllow: Setting<readonly string[]>;
  /** HTTP proxy as given. It may contain a password, so it must be masked before it is shown. */
  readonly proxy: Setting<string | undefined>;
  /** File of additional certificate authorities. */
  readonly caFile: Setting<string | undefined>;
  /** Location of copied attachments; undefined for the default folder. */
  readonly mediaStore: Setting<string | undefined>;
  /** Maximum number of retries of a request that is safe to repeat. */
  readonly retry: Setting<number>;
  /** Maximum wait of one request for rate limits. */
  readonly maxWaitSeconds: Setting<number>;
  /** The config folder, if other users may be able to change it because its file system does not support owners. */
  readonly ownerlessFolder?: string | undefined;
}
