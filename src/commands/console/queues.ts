import { PageError, PageLines, type PageRoute } from '../../platform/local-page/page-route.ts';
import type { Context } from '../../runtime/context.ts';
import type { PendingChanges } from './pending-changes.ts';
import { runForPage } from './run-command.ts';
import type { SharedBoards } from './shared-boards.ts';

/** The routes that read queues and the people who can be their agents, and the board of a queue. */
export function queueRoutes(ctx: Context, boards: SharedBoards): readonly PageRoute[] {
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
      answer: ({ params, signal }) => new PageLines(boards.read(params['id'] ?? '', signal)),
    },
  ];
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
