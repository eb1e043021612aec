import { PageError, PageLines, type PageRoute } from '../../platform/local-page/page-route.ts';
import { callText, outageText, type BoardRow } from '../../features/board/index.ts';
import { isolateRuns } from '../../platform/isolate.ts';
import { parseJson } from '../../platform/json.ts';
import { safe } from '../../platform/terminal-text.ts';
import { Interrupted } from '../../errors/interrupted.ts';
import type { Context } from '../../runtime/context.ts';
import { inputOf, sinkTo } from '../../runtime/captured.ts';
import { LineQueue } from './line-queue.ts';
import type { PendingChanges } from './pending-changes.ts';
import { runForPage } from './run-command.ts';

/** The routes that read queues and the people who can be their agents, and the board of a queue. */
export function queueRoutes(ctx: Context): readonly PageRoute[] {
  const read = async (words: readonly string[], signal: AbortSignal): Promise<unknown> =>
    (await runForPage(ctx, words, { signal })).result;
  return [
    {
      method: 'GET',
      path: '/api/queues',
      answer: ({ signal }) => read(['queue', 'list'], signal),
    },
    {
      method: 'GET',
      path: '/api/queue-sizes',
      answer: ({ signal }) => read(['queue', 'list', '--members'], signal),
    },
    {
      method: 'GET',
      path: '/api/queues/:id/members',
      answer: ({ params, signal }) => read(['queue', 'members', '--', params['id'] ?? ''], signal),
    },
    { method: 'GET', path: '/api/people', answer: ({ signal }) => read(['agent', 'list'], signal) },
    {
      method: 'GET',
      path: '/api/queues/:id/board',
      answer: ({ params, signal }) => new PageLines(boardLines(ctx, params['id'] ?? '', signal)),
    },
  ];
}

/**
 * Runs `queue watch` while the browser reads the reply, and returns its lines: first one for each person, then one for
 * each change.
 */
async function* boardLines(
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
    for await (const line of lines.read()) yield withCallText(line);
  } finally {
    stop();
    signal.removeEventListener('abort', stop);
    await Promise.all([over, endAtOutage]);
  }
}

/** Returns a line with the text of its call. Its names cannot reorder its numbers. */
function withCallText(line: string): string {
  const { call, ...row } = parseJson(line) as Pick<BoardRow, 'name' | 'call'>;
  return JSON.stringify(call ? { ...row, callText: isolateRuns(safe(callText(call, row.name))) } : row);
}

/** Returns the line of a failure or an outage as JSON; undefined for other lines of stderr. */
function problemIn(line: string): string | undefined {
  if (line.startsWith('{"error":')) return line;
  const start = line.indexOf(outageText);
  return start === -1 ? undefined : JSON.stringify({ error: { message: line.slice(start) } });
}

/** The route that compares a new list of agents with the present one. The plan is applied when the user confirms it. */
export function queuePlanRoute(ctx: Context, changes: PendingChanges): PageRoute {
  return {
    method: 'POST',
    path: '/api/queues/:id/plan',
    async answer({ params, body, signal }) {
      const list = {
        queues: [{ queue: params['id'] ?? '', agents: agentsIn(body).map((agent) => ({ agent })) }],
      };
      // JSON is also YAML, the format of a complete list of the agents of a queue.
      const { result, notes } = await runForPage(ctx, ['queue', 'plan', '--exact', '-f', '-'], {
        signal,
        input: JSON.stringify(list),
      });
      return changes.add(
        ['queue', 'apply', '-f', '-'],
        { preview: result, notes },
        { input: JSON.stringify(result) },
      );
    },
  };
}

function agentsIn(body: unknown): readonly string[] {
  const { agents } = (body ?? {}) as { readonly agents?: unknown };
  if (Array.isArray(agents) && agents.every((one): one is string => typeof one === 'string')) return agents;
  throw new PageError(400, 'agents must be a list of extension numbers or IDs');
}

/** The route that previews the inverse of a run. */
export function undoRoute(ctx: Context, changes: PendingChanges): PageRoute {
  return {
    method: 'POST',
    path: '/api/runs/:id/undo',
    async answer({ params, signal }) {
      const words = ['history', 'undo', '--', params['id'] ?? ''];
      const { result, notes } = await runForPage(ctx, ['--dry-run', ...words], { signal });
      return changes.add(words, { preview: result, notes });
    },
  };
}
