import type { OptionSpec } from '../runtime/command-description.ts';
import type { AnyCommandSpec } from '../runtime/define.ts';
import type { OutputFormat } from '../runtime/output.ts';

export const outputFormats: readonly OutputFormat[] = ['table', 'json', 'ndjson', 'csv', 'tsv', 'yaml'];

const everywhere = {
  output: {
    type: 'string',
    short: 'o',
    value: 'FORMAT',
    choices: outputFormats,
    summary: 'table, json, ndjson, csv, tsv or yaml',
  },
  json: {
    type: 'string',
    value: 'FIELDS',
    summary: 'Same as -o json; with =FIELDS only those, with =help a list of them',
  },
  jq: { type: 'string', value: 'EXPR', summary: 'Filter the JSON output through a jq expression' },
  fields: {
    type: 'list',
    value: 'NAMES',
    summary: 'Columns to show, or paths into the record such as to.0.phoneNumber',
  },
  sort: { type: 'list', value: 'FIELD[:desc]', summary: 'Order of a list, by columns or paths' },
  tz: { type: 'string', value: 'ZONE', summary: 'Time zone of the times shown, e.g. Europe/Paris; UTC' },
  accessible: {
    type: 'boolean',
    summary: 'Lines instead of pictures that move; UCCTL_ACCESSIBLE=1 does the same',
  },
  noHeader: { type: 'boolean', summary: 'Leave out the heading of table and csv' },
  csvRaw: { type: 'boolean', summary: 'Leave csv cells as they came, also those a spreadsheet would run' },
  quiet: { type: 'boolean', short: 'q', summary: 'No notes, no progress; warnings and errors stay' },
  color: { type: 'string', value: 'WHEN', choices: ['auto', 'always', 'never'], summary: 'Colours' },
  profile: { type: 'string', short: 'p', value: 'NAME', summary: 'Profile to use' },
  baseUrl: { type: 'string', value: 'URL', summary: 'Address of the service' },
  timeout: {
    type: 'duration',
    value: 'TIME',
    minSeconds: 1,
    maxSeconds: 3600,
    summary:
      'Longest wait for the next byte of a reply, e.g. 30 or 2m; 10 times that for all of it; ends --wait',
  },
  retry: {
    type: 'integer',
    value: 'N',
    min: 0,
    max: 20,
    summary: 'Further tries of a request that may be repeated; 4 unless given',
  },
  maxWait: {
    type: 'duration',
    value: 'TIME',
    maxSeconds: 86_400,
    summary: "Longest wait of one request for the service's rate limits; 125s unless given",
  },
  proxy: { type: 'string', value: 'URL', summary: 'HTTP proxy to go through; HTTPS_PROXY names one too' },
  caFile: { type: 'string', value: 'FILE', summary: 'Certificate authorities to trust as well, PEM' },
  dialect: {
    type: 'string',
    value: 'NAME',
    choices: ['spec', 'current'],
    summary: 'Names and paths of the service: as specified, or as services have them now',
  },
  lang: { type: 'string', value: 'TAG', summary: "Language of the service's own texts, e.g. en-US" },
  yes: { type: 'boolean', short: 'y', summary: 'Answer every confirmation with yes' },
  noInput: { type: 'boolean', summary: 'Never ask; fail where an answer would be needed' },
  debug: {
    type: 'string',
    value: 'http',
    summary: 'Show the inner trace of an error; with =http every request too, secrets masked',
  },
  traceFile: {
    type: 'string',
    value: 'FILE',
    summary: 'Write every request to a HAR file; secrets, numbers and texts are masked',
  },
  help: { type: 'boolean', short: 'h', summary: 'Show this help' },
} as const satisfies Readonly<Record<string, OptionSpec>>;

const whenChanging = {
  dryRun: {
    type: 'boolean',
    short: 'n',
    summary: 'Print what would change something instead of sending it',
  },
  'retry-503': {
    type: 'boolean',
    summary: 'Also repeat what must not be done twice after a 503 with Retry-After',
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;

const whenWatched = {
  watch: { type: 'boolean', short: 'w', summary: 'Keep reading and show what changes, until Ctrl-C' },
  interval: {
    type: 'duration',
    value: 'TIME',
    minSeconds: 1,
    maxSeconds: 3600,
    default: 10,
    summary: 'With --watch: time between two readings',
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;

/** What the global options of one run were set to. */
export interface GlobalOptions {
  readonly output?: OutputFormat;
  readonly json?: string;
  readonly jq?: string;
  readonly fields?: readonly string[];
  readonly sort?: readonly string[];
  readonly tz?: string;
  readonly accessible?: boolean;
  readonly watch?: boolean;
  /** Seconds. */
  readonly interval?: number;
  readonly noHeader?: boolean;
  readonly csvRaw?: boolean;
  readonly quiet?: boolean;
  readonly color?: 'auto' | 'always' | 'never';
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly timeout?: number;
  readonly dialect?: 'spec' | 'current';
  readonly lang?: string;
  readonly yes?: boolean;
  readonly noInput?: boolean;
  readonly dryRun?: boolean;
  readonly 'retry-503'?: boolean;
  readonly retry?: number;
  readonly maxWait?: number;
  readonly proxy?: string;
  readonly caFile?: string;
  /** Empty for `--debug` alone; `http` shows requests too. */
  readonly debug?: string;
  readonly traceFile?: string;
  readonly help?: boolean;
}

/** The global options that a command takes: its own options of the same name win, only commands that change something have a dry run, and only some can be watched. */
export function globalOptionsFor(spec: AnyCommandSpec | undefined): Readonly<Record<string, OptionSpec>> {
  const all: Readonly<Record<string, OptionSpec>> = {
    ...(spec?.mutates && whenChanging),
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
