import type { DialectName } from '../contract/dialects.ts';
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
