import type { PathCheck } from '../runtime/field-path.ts';
import type { SentSecrets } from '../platform/sent-secrets.ts';
import type { OutputFormat } from '../runtime/output.ts';
import type { Input, Sink } from '../runtime/streams.ts';
import type { ColorFlag } from './color.ts';

/** Settings for the results and messages of one run. */
export interface OutputSettings {
  /** The format; undefined selects a table on a terminal, TSV in a pipe, and NDJSON for live events in a pipe. */
  readonly format: OutputFormat | undefined;
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** Source of keys for boards; undefined if no keys are read. */
  readonly stdin?: Input | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly color?: ColorFlag | undefined;
  readonly quiet?: boolean | undefined;
  /** Whether confirmations are skipped, because of `--yes` or a dry run. */
  readonly skipsConfirmation?: boolean | undefined;
  readonly header?: boolean | undefined;
  readonly fields?: readonly string[] | undefined;
  /** All JSON fields of the records, if the command defines them. A selected field among them needs no sample. */
  readonly knownFields?: readonly string[] | undefined;
  /** Checks a path into the records, if the command describes them. */
  readonly checkPath?: PathCheck | undefined;
  /** The profile named with `-p`, which commands in messages name. */
  readonly profile?: string | undefined;
  readonly csvRaw?: boolean | undefined;
  /** Orders of lists, `FIELD` or `FIELD:desc`. */
  readonly sort?: readonly string[] | undefined;
  /** Time zone for displayed times; default UTC. */
  readonly zone?: string | undefined;
  /** Whether redrawing is disabled, for screen readers. */
  readonly accessible?: boolean | undefined;
  /** A jq expression that filters the JSON. */
  readonly jq?: string | undefined;
  /** Whether the command makes changes, so that it finishes even if the program that reads stdout has exited. May change during the run. */
  readonly finishesWithoutReader?: boolean | undefined;
  /** `json` writes each message as an object. */
  readonly logFormat?: 'text' | 'json' | undefined;
  /** Whether the line of a warning begins with the time of day, because the command runs for a long time. */
  readonly timesWarnings?: boolean | undefined;
  /** Secrets that are masked in the structured log. */
  readonly sentSecrets?: SentSecrets | undefined;
  now(): number;
}
