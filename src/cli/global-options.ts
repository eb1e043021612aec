import type { OptionSpec } from '../runtime/command-description.ts';
import type { AnyCommandSpec } from '../runtime/define.ts';
import { dryRunOption } from '../runtime/dry-run-option.ts';
import type { OutputFormat } from '../runtime/output.ts';

export const outputFormats: readonly OutputFormat[] = ['table', 'json', 'ndjson', 'csv', 'tsv', 'yaml'];

const everywhere = {
  output: {
    type: 'string',
    short: 'o',
    value: 'FORMAT',
    choices: outputFormats,
    summary: 'Output format: table, json, ndjson, csv, tsv or yaml',
  },
  json: {
    type: 'string',
    value: 'FIELDS',
    summary: 'Same as -o json; =FIELDS selects fields, =help lists the fields',
  },
  jq: { type: 'string', value: 'EXPR', summary: 'Filter the JSON output with a jq expression' },
  fields: {
    type: 'list',
    value: 'NAMES',
    summary: 'Columns to show, or JSON paths such as to.0.phoneNumber',
  },
  sort: {
    type: 'list',
    value: 'FIELD[:desc]',
    summary: 'Columns or JSON paths to sort a list by',
  },
  tz: {
    type: 'string',
    value: 'ZONE',
    summary: 'Time zone for dates and displayed times, e.g. Europe/Paris; default: the setting tz, else UTC',
  },
  accessible: {
    type: 'boolean',
    summary: 'Print plain lines without animation, for screen readers',
  },
  noHeader: { type: 'boolean', summary: 'Omit the heading of tables and CSV' },
  csvRaw: { type: 'boolean', summary: 'Do not escape CSV cells that a spreadsheet would treat as formulas' },
  quiet: {
    type: 'boolean',
    short: 'q',
    summary: 'Hide notes and progress; warnings and errors still appear',
  },
  color: { type: 'string', value: 'WHEN', choices: ['auto', 'always', 'never'], summary: 'Colors' },
  profile: { type: 'string', short: 'p', value: 'NAME', summary: 'Profile to use' },
  baseUrl: { type: 'string', value: 'URL', summary: 'Address of the service' },
  timeout: {
    type: 'duration',
    value: 'TIME',
    minSeconds: 1,
    maxSeconds: 3600,
    summary:
      'Maximum time to wait without receiving data, e.g. 30 or 2m; the whole reply may take 10 times as long',
  },
  retry: {
    type: 'integer',
    value: 'N',
    min: 0,
    max: 20,
    summary: 'Maximum number of retries for requests that are safe to repeat; default: 4',
  },
  maxWait: {
    type: 'duration',
    value: 'TIME',
    maxSeconds: 86_400,
    summary: "Maximum time that a request waits for the service's rate limits; default: 125s",
  },
  proxy: { type: 'string', value: 'URL', summary: 'HTTP proxy; overrides HTTPS_PROXY and ALL_PROXY' },
  caFile: {
    type: 'string',
    value: 'FILE',
    summary: 'Additional certificate authorities to trust, in PEM format',
  },
  dialect: {
    type: 'string',
    value: 'NAME',
    choices: ['spec', 'current'],
    summary: 'API dialect: spec (as specified) or current (as deployed)',
  },
  store: {
    type: 'string',
    value: 'STORE',
    summary: 'PostgreSQL store shared by machines (postgres://...), or token store: keychain, file or memory',
  },
  lang: {
    type: 'string',
    value: 'TAG',
    summary: 'Language of descriptions and messages from the service, e.g. en-US',
  },
  yes: { type: 'boolean', short: 'y', summary: 'Answer yes to every confirmation' },
  noInput: { type: 'boolean', summary: 'Never prompt; fail if input is needed' },
  debug: {
    type: 'string',
    value: 'http',
    choices: ['http'],
    summary: 'Show the stack trace of an error; =http also logs every request, with secrets masked',
  },
  traceFile: {
    type: 'string',
    value: 'FILE',
    summary: 'Write every request to a HAR file, with secrets, numbers and texts masked',
    writes: 'trace.har',
  },
  help: { type: 'boolean', short: 'h', summary: 'Show help; add --all for all details' },
} as const satisfies Readonly<Record<string, OptionSpec>>;

/** Global options of commands that make changes. */
export const whenChanging = {
  dryRun: {
    type: 'boolean',
    short: 'n',
    summary: 'Print requests that would make changes instead of sending them',
  },
  'retry-503': {
    type: 'boolean',
    advanced: true,
    summary:
      'After HTTP 503 with Retry-After, retry even a request that is not safe to repeat, except a deletion of messages',
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;

/** Returns the `--dry-run` of a command whose dry run prints its output, because it changes only local data or the store. */
export function ownDryRun({
  dryRunPrints,
}: Pick<AnyCommandSpec, 'dryRunPrints'>): Readonly<Record<string, OptionSpec>> {
  return dryRunPrints === 'output' ? { dryRun: dryRunOption } : {};
}

/** Global options of commands that support `--watch`. */
export const whenWatched = {
  watch: {
    type: 'boolean',
    short: 'w',
    summary: 'Run the command repeatedly until Ctrl-C, and show changes',
  },
  interval: {
    type: 'duration',
    value: 'TIME',
    advanced: true,
    minSeconds: 1,
    maxSeconds: 3600,
    default: 10,
    requires: 'watch',
    summary: 'Polling interval of --watch',
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;

/** The values of the global options of one run. */
export interface GlobalOptions {
  readonly output?: OutputFormat;
  readonly json?: string;
  readonly jq?: string;
  readonly fields?: readonly string[];
  readonly sort?: readonly string[];
  readonly tz?: string;
  readonly accessible?: boolean;
  readonly watch?: boolean;
  /** The timeout is in seconds. */
  readonly interval?: number;
  readonly noHeader?: boolean;
  readonly csvRaw?: boolean;
  readonly quiet?: boolean;
  readonly color?: 'auto' | 'always' | 'never';
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly timeout?: number;
  readonly dialect?: 'spec' | 'current';
  readonly store?: string;
  readonly lang?: string;
  readonly yes?: boolean;
  readonly noInput?: boolean;
  readonly dryRun?: boolean;
  readonly 'retry-503'?: boolean;
  readonly retry?: number;
  readonly maxWait?: number;
  readonly proxy?: string;
  readonly caFile?: string;
  /** Value of `--debug`: empty for the flag alone, `http` to log requests too. */
  readonly debug?: string;
  readonly traceFile?: string;
  readonly help?: boolean;
}

/** The groups of `ucctl help flags`, each with its options. */
export const globalGroups: Readonly<Record<string, Readonly<Record<string, OptionSpec>>>> = {
  Output: pick('output', 'json', 'jq', 'fields', 'sort', 'tz', 'noHeader', 'csvRaw'),
  Terminal: pick('quiet', 'color', 'accessible', 'yes', 'noInput', 'help'),
  'Profile and connection': pick(
    'profile',
    'baseUrl',
    'dialect',
    'store',
    'lang',
    'timeout',
    'retry',
    'maxWait',
    'proxy',
    'caFile',
  ),
  Diagnostics: pick('debug', 'traceFile'),
  'Commands that change something': whenChanging,
  'Commands that support --watch': whenWatched,
};

function pick(...keys: readonly (keyof typeof everywhere)[]): Readonly<Record<string, OptionSpec>> {
  return Object.fromEntries(keys.map((key) => [key, everywhere[key]]));
}

/** Returns the global options that only some commands support: `--dry-run`, `--watch` and their related options. */
export function commandGlobals(spec: AnyCommandSpec): Readonly<Record<string, OptionSpec>> {
  const taken = globalOptionsFor(spec);
  const some = { ...whenChanging, ...whenWatched };
  return Object.fromEntries(Object.entries(taken).filter(([key]) => key in some && !(key in spec.options)));
}

/**
 * Returns the global options of a command. The command's own options of the same name take precedence, and only some commands support `--dry-run` or `--watch`.
 */
export function globalOptionsFor(
  spec: Pick<AnyCommandSpec, 'options' | 'mutates' | 'dryRunPrints' | 'watch'> | undefined,
): Readonly<Record<string, OptionSpec>> {
  const all: Readonly<Record<string, OptionSpec>> = {
    ...(spec?.mutates && { ...whenChanging, ...ownDryRun(spec) }),
    ...(spec?.watch && whenWatched),
    ...everywhere,
  };
  if (!spec) return all;
  const own = Object.entries(spec.options).filter(([, option]) => !option.positional);
  const names = new Set(own.map(([key]) => key));
  const letters = new Set(own.map(([, option]) => option.short));
  return Object.fromEntries(
    Object.entries(all)
      .filter(([key]) => !names.has(key))
      .map(([key, option]) => [
        key,
        option.short && letters.has(option.short) ? withoutShort(option) : option,
      ]),
  );
}

function withoutShort(option: OptionSpec): OptionSpec {
  const { short: _, ...rest } = option;
  return rest;
}
