import type { OutputFormat } from '../runtime/output.ts';
import type { Sink } from '../runtime/system.ts';
import type { ColorFlag } from './color.ts';

/** What decides how results and messages of one run are shown. */
export interface OutputSettings {
  /** Undefined: a table on a terminal, TSV in a pipe, NDJSON for live events in a pipe. */
  readonly format: OutputFormat | undefined;
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly color?: ColorFlag | undefined;
  readonly quiet?: boolean | undefined;
  /** No question is put: `--yes`, or a dry run. */
  readonly unasked?: boolean | undefined;
  readonly header?: boolean | undefined;
  readonly fields?: readonly string[] | undefined;
  /** Members of the records, where the command names them. */
  readonly jsonFields?: readonly string[] | undefined;
  readonly csvRaw?: boolean | undefined;
  /** Orders of lists, `FIELD` or `FIELD:desc`. */
  readonly sort?: readonly string[] | undefined;
  /** Time zone that times are shown in; UTC. */
  readonly zone?: string | undefined;
  /** No picture that moves: for screen readers. */
  readonly accessible?: boolean | undefined;
  /** A jq expression that the JSON goes through. */
  readonly jq?: string | undefined;
  /** A command that changes something finishes although nobody reads its output any more. */
  readonly finishesUnread?: boolean | undefined;
  now(): number;
}
