import { canonicalBaseUrl } from '../../platform/base-url.ts';
import type { PageRoute } from '../../platform/local-page/page-route.ts';
import type { Context } from '../../runtime/context.ts';
import { runForPage } from './run-command.ts';
import type { RunEntry } from './types.ts';
import { lookupTable } from '../../platform/lookup-table.ts';

/** The commands whose output the Service view shows, by path. */
const reads: Readonly<Record<string, readonly string[]>> = lookupTable({
  '/api/doctor': ['doctor'],
  '/api/profile': ['profile', 'show'],
  '/api/session': ['status'],
  '/api/outcomes': ['outcome', 'list'],
});

/** The routes of the Service view. */
export function serviceRoutes(ctx: Context): readonly PageRoute[] {
  return [runsRoute(ctx), ...readRoutes(ctx)];
}

/** The runs of this machine, with the service of those that belong to another one. */
function runsRoute(ctx: Context): PageRoute {
  return {
    method: 'GET',
    path: '/api/runs',
    async answer({ signal }) {
      const { result } = await runForPage(ctx, ['history', 'list'], { signal });
      return (result as readonly ListedRun[]).map((run) => entryOf(run, ctx));
    },
  };
}

/** A run as `history list` prints it. */
type ListedRun = RunEntry & { readonly baseUrl: string };

function entryOf({ baseUrl, ...run }: ListedRun, { settings }: Context): RunEntry {
  const isOwn = canonicalBaseUrl(baseUrl) === canonicalBaseUrl(settings.baseUrl.value ?? '');
  return isOwn ? run : { ...run, otherService: baseUrl };
}

function readRoutes(ctx: Context): readonly PageRoute[] {
  return Object.entries(reads).map(([path, words]) => ({
    method: 'GET',
    path,
    async answer({ signal }) {
      // The list of checks is complete even if a check failed.
      return (await runForPage(ctx, words, { signal, accepts: 'doctor_failed' })).result;
    },
  }));
}
