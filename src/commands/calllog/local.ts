import type { CallLogRecord } from '../../contract/call-log.ts';
import { hasCalls, knownExtensions, localCalls, readStream } from '../../features/call-mirror/index.ts';
import { readCopy } from '../../features/mirror/index.ts';
import type { Window } from '../../features/time-window/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';
import { notFoundError, usageError } from '../../errors/command.ts';
import { hintText, ucctl } from '../../errors/hint.ts';

/** Calls and the names of whom they are of, from the service or from the copy. */
export interface CallsToCount {
  readonly extensions: readonly {
    readonly id: string | number;
    readonly name: string;
    readonly type: string;
  }[];
  readonly records: Iterable<CallLogRecord> | AsyncIterable<CallLogRecord>;
}

/** What the service gives without dates, in milliseconds. */
const defaultWindow = 86_400_000;

/**
 * Works on the calls of the copy within a stretch of time, the last day as at the service; says what of it is not copied.
 * @throws {CommandError} `not_found` when the calls were never copied.
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
      'with --local, --extension takes ~ only: the copy has the calls of the account, or your own',
      ucctl('sync sql "select * from v_call where extension_number = ..."'),
    );
  }
  const scope = extension ?? 'account';
  const command = ucctl(`calllog sync${extension === undefined ? '' : ' --extension ~'}`);
  return readCopy(
    ctx,
    options,
    async (db) => {
      const stream = hasCalls(db) ? readStream(db, scope) : undefined;
      if (!stream) throw notFoundError('no calls are copied yet', command);
      const to = window.to ?? ctx.now();
      const from = window.from ?? to - defaultWindow;
      const { dateFrom, completeTo } = stream;
      if (stream.pending || completeTo === undefined) {
        ctx.out.warn(`the copy is not finished, calls are missing; carry on: ${hintText(command)}`);
      } else if (to > completeTo || from < dateFrom) {
        ctx.out.note(
          `the copy has the calls ${rangeText(dateFrom, completeTo)}; newer ones: ${hintText(command)}`,
        );
      }
      return work({
        extensions: knownExtensions(db),
        records: localCalls(db, { scope, from, to, ...filter }),
      });
    },
    command,
  );
}

function rangeText(from: number, to: number): string {
  return `from ${new Date(from).toISOString()} to ${new Date(to).toISOString()}`;
}
