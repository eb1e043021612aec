import { callText, notUpToDate, type BoardRow } from '../../features/board/index.ts';
import { Interrupted } from '../../errors/interrupted.ts';
import { isolateRuns } from '../../platform/isolate.ts';
import { parseJson } from '../../platform/json.ts';
import { safe } from '../../platform/terminal-text.ts';
import { inputOf, sinkTo } from '../../runtime/captured.ts';
import type { Context } from '../../runtime/context.ts';
import { LineQueue } from './line-queue.ts';

/**
 * Runs `queue watch` until the signal aborts, and yields its lines: first one for each person, then one for each change.
 * Ends with the line of an error after a failure or an outage.
 */
export async function* boardLines(
  ctx: Context,
  queue: string,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const interrupt = new AbortController();
  const stop = (): void => interrupt.abort(new Interrupted('SIGINT'));
  if (signal.aborted) return;
  signal.addEventListener('abort', stop, { once: true });
  const lines = new LineQueue();
  const problems = new LineQueue();
  const streams = {
    stdin: inputOf(''),
    stdout: sinkTo(lines),
    stderr: sinkTo(problems),
    signal: interrupt.signal,
  };
  const over = ctx
    .run(['--output=ndjson', '--no-input', 'queue', 'watch', '--', queue], { streams })
    .finally(() => problems.end());
  // The browser then requests the board again, until the service replies and everyone is read.
  const endAtOutage = (async () => {
    for await (const line of problems.read()) {
      const problem = problemIn(line);
      if (problem === undefined) continue;
      lines.add(`${problem}\n`);
      lines.end();
    }
    lines.end();
  })();
  try {
    for await (const line of lines.read()) {
      const shown = withCallText(line);
      if (shown !== undefined) yield shown;
    }
  } finally {
    stop();
    signal.removeEventListener('abort', stop);
    await Promise.all([over, endAtOutage]);
  }
}

/**
 * Returns a line with the text of its call. Its names cannot reorder its numbers. Undefined for a line without a state of
 * the person, because the session has ended: the line of the error follows.
 */
function withCallText(line: string): string | undefined {
  const { call, ...row } = parseJson(line) as Pick<BoardRow, 'name' | 'call' | 'reason'>;
  if (row.reason === 'signed out') return undefined;
  return JSON.stringify(call ? { ...row, callText: isolateRuns(safe(callText(call, row.name))) } : row);
}

/** Returns the line of a failure or an outage as JSON; undefined for other lines of stderr. */
function problemIn(line: string): string | undefined {
  if (line.startsWith('{"error":')) return line;
  const start = line.indexOf(notUpToDate);
  return start === -1 ? undefined : JSON.stringify({ error: { message: line.slice(start) } });
}
