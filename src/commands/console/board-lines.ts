import { callText, type BoardRow } from '../../features/board/index.ts';
import { Interrupted } from '../../errors/interrupted.ts';
import { isolateRuns } from '../../platform/isolate.ts';
import { parseJson } from '../../platform/json.ts';
import { LineQueue } from '../../platform/line-queue.ts';
import { safe } from '../../platform/terminal-text.ts';
import { inputOf, sinkTo } from '../../runtime/captured.ts';
import type { Context } from '../../runtime/context.ts';
import type { Sink } from '../../runtime/streams.ts';

/** A line for the page, with the members that decide how it is passed on. */
export interface PageLine {
  readonly text: string;
  /** The person of the line; undefined for an error, which ends the board. */
  readonly extensionId?: string | undefined;
  readonly state?: string | undefined;
}

/**
 * Runs `queue watch` until the signal aborts, and yields its lines: first one for each person, then one for each change.
 * Ends with the line of an error after a failure or an outage.
 */
export async function* boardLines(
  ctx: Context,
  queue: string,
  signal: AbortSignal,
): AsyncGenerator<PageLine, void, undefined> {
  const interrupt = new AbortController();
  const stop = (): void => interrupt.abort(new Interrupted('SIGINT'));
  if (signal.aborted) return;
  signal.addEventListener('abort', stop, { once: true });
  const lines = new LineQueue<string>();
  const problems = new LineQueue<string>();
  const endWith = (line: string): void => {
    lines.add(line);
    lines.end();
  };
  const streams = {
    stdin: inputOf(''),
    stdout: sinkOf(lines),
    stderr: sinkOf(problems),
    signal: interrupt.signal,
    // The browser then requests the board again, until the service replies and everyone is read.
    onOutdated: (message: string) => endWith(JSON.stringify({ error: { message } })),
  };
  const over = ctx
    .run(['--output=ndjson', '--no-input', 'queue', 'watch', '--', queue], { streams })
    .finally(() => problems.end());
  const endAtFailure = (async () => {
    for await (const line of problems) if (line.startsWith('{"error":')) endWith(line);
    lines.end();
  })();
  try {
    for await (const line of lines) {
      const shown = pageLineOf(line);
      if (shown !== undefined) yield shown;
    }
  } finally {
    stop();
    signal.removeEventListener('abort', stop);
    await Promise.all([over, endAtFailure]);
  }
}

/** Returns a stream that adds its lines to a queue. */
function sinkOf(queue: LineQueue<string>): Sink {
  let unfinished = '';
  return sinkTo({
    add(text) {
      const lines = (unfinished + text).split('\n');
      unfinished = lines.pop() ?? '';
      for (const line of lines) if (line !== '') queue.add(line);
    },
  });
}

/**
 * Returns a line with the text of its call. Its names cannot reorder its numbers. Undefined for a line without a state of
 * the person, because the session has ended: the line of the error follows.
 */
function pageLineOf(line: string): PageLine | undefined {
  const { call, ...row } = parseJson(line) as Pick<BoardRow, 'name' | 'call' | 'reason'> &
    Pick<PageLine, 'extensionId' | 'state'>;
  if (row.reason === 'signed out') return undefined;
  const shown = call ? { ...row, callText: isolateRuns(safe(callText(call, row.name))) } : row;
  return { text: JSON.stringify(shown), extensionId: row.extensionId, state: row.state };
}
