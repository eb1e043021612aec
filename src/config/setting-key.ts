import type { DialectName } from '../contract/dialects.ts';
import type { OutputFormat } from '../runtime/output.ts';

/** The settings of a profile. Secrets are not among them: they are in the token store. */
export interface ProfileValues {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly redirectUris: readonly string[];
  /** A token store of this machine, or the address of a PostgreSQL store. */
  readonly store: string;
  readonly timeoutSeconds: number;
  readonly language: string;
  readonly output: OutputFormat;
  readonly tz: string;
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
  readonly mcpAllow: readonly string[];
  readonly proxy: string;
  readonly caFile: string;
  /** A folder, or `s3://BUCKET/PREFIX`. */
  readonly mediaStore: string;
  readonly retry: number;
  readonly maxWaitSeconds: number;
}

/** A setting: its names, and how its value is read and checked. */
export interface SettingKey<M extends keyof ProfileValues = keyof ProfileValues> {
  /** The name of the setting in `ucctl config set`. */
  readonly key: string;
  /** The member of the setting in a profile of the config file. */
  readonly member: M;
  readonly variable: string;
  /** All environment variables of the setting, highest precedence first. Default: only `variable`. */
  readonly variables?: readonly string[];
  readonly flag: string | undefined;
  readonly summary: string;
  /** Reads the setting from text. @throws {RangeError} with a message for the user. */
  read(text: string): ProfileValues[M];
  /** Checks a value from the config file. @throws {RangeError} with a message for the user. */
  check(value: unknown): ProfileValues[M];
  /** Checks a value that a user sets, in addition to `check`: a newer version may have stored other values. @throws {RangeError} with a message for the user. */
  checkNew?(value: ProfileValues[M]): void;
}
