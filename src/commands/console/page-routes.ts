import { factsRoute } from '../../platform/local-page/page-facts.ts';
import type { PageRoute } from '../../platform/local-page/page-route.ts';
import type { Context } from '../../runtime/context.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';
import type { BackgroundWork } from './background-work.ts';
import { callRoutes } from './calls.ts';
import { messageRoutes } from './messages.ts';
import { PendingChanges } from './pending-changes.ts';
import { queuePlanRoute, queueRoutes, undoRoute } from './queues.ts';
import { replyRoute } from './replies.ts';
import { SharedBoards } from './shared-boards.ts';
import { serviceRoutes } from './service.ts';

/** Returns the routes of the page. A read-only page has no route that sends or changes anything. */
export function pageRoutes(
  ctx: Context,
  options: CopyOptions,
  isReadOnly: boolean,
  live: readonly PageRoute[],
  background: BackgroundWork,
): readonly PageRoute[] {
  const changes = new PendingChanges(ctx, background);
  const profile = ctx.settings.profile.value;
  const all = [
    factsRoute({
      title: `ucctl ${profile}`,
      profile,
      views: ['live', 'messages', 'board', 'calls', 'queues', 'service'],
      isReadOnly,
    }),
    ...live,
    ...messageRoutes(ctx, options),
    ...queueRoutes(ctx, new SharedBoards(ctx, background)),
    ...callRoutes(ctx, options),
    ...serviceRoutes(ctx),
    replyRoute(ctx, options, changes),
    queuePlanRoute(ctx, changes),
    undoRoute(ctx, changes),
    changes.route(),
  ];
  return isReadOnly ? all.filter(({ method }) => method === 'GET') : all;
}
