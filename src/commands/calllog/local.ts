import type { CallLogRecord } from '../../contract/call-log.ts';
import { earliestData } from '../../contract/limits.ts';
import { rangeAround, withStart, type Period } from '../../features/call-stats/index.ts';
import { readCopy } from '../../features/mirror/index.ts';
import type { Window } from '../../features/time-window/index.ts';
import { fullTime } from '../../platform/moment.ts';
import type { Context } from '../../runtime/context.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';
import { notFoundError, usageError } from '../../errors/command.ts';
import { ucctl, nextStep } from '../../errors/hint.ts';

/** Calls and the extensions that they belong to, from the service or from the local call database. */
export interface CallsToCount {
  readonly extensions: readonly {
    readonly id: string | number;
    readonly extensionNumber?: string | undefined;
    readonly name: string;
    readonly type: string;
  }[];
  readonly records: Iterable<CallLogRecord> | AsyncIterable<CallLogRecord>;
  /** The time range in which the calls to count started. The records may include those of other calls. */
  readonly period: Period;
}

/**
 * Runs work on the copied calls of a time range (default: the last day), and reports the part of the range that is not
 * copied.
 * @throws {CommandError} `not_found` if no calls were copied yet.
 */
export async function withLocalCalls<T>(
  ctx: Context,
  options: CopyOptions & { readonly extension?: string },
  window: Window,
  filter: { readonly direction?: readonly string[]; readonly type: readonly string[] },
  work: (calls: CallsToCount) => Promise<T>,
): Promise<T> {
  const { extension } = options;
  if (extension !== undefined && extension !== '~') {
    throw usageError(
      `--extension ${extension} cannot be used with --local; use ~ for your own calls, or omit --extension`,
      ucctl('sync sql "select * from v_call where extension_number = ..."'),
    );
  }
  const scope = extension ?? 'account';
  const command = ucctl(extension === undefined ? 'calllog sync' : 'calllog sync --extension ~');
  return readCopy(
    ctx,
    options,
    async ({ calls }) => {
      const stream = await calls.stream(scope);
      if (!stream) throw notFoundError('the local call database does not contain any calls yet', command);
      const to = window.to ?? ctx.now();
      const { from = to } = withStart({ from: window.from, to });
      const { dateFrom, completeTo } = stream;
      if (stream.pending || completeTo === undefined) {
        ctx.out.warn(nextStep`the local call database is incomplete; to resume the sync: ${command}`);
      } else if (to > completeTo || from < dateFrom) {
        ctx.out.note(
          nextStep`the local call database contains ${rangeText(dateFrom, completeTo, ctx.out.zone)}; to update it: ${command}`,
        );
      }
      const range = rangeAround({ from, to }, ctx.now());
      return work({
        extensions: await calls.extensions(),
        records: calls.calls({ scope, from: range.from ?? from, to: range.to ?? to, ...filter }),
        period: { from, to: window.to },
      });
    },
    command,
  );
}

function rangeText(from: number, to: number, zone: string | undefined): string {
  const text = (at: number): string => fullTime(new Date(at).toISOString(), zone);
  // A sync without --since copies all calls that the service stores.
  return from <= earliestData ? `all calls until ${text(to)}` : `calls from ${text(from)} to ${text(to)}`;
}
