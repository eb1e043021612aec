import type { PageRoute } from '../../platform/local-page/page-route.ts';
import type { Context } from '../../runtime/context.ts';
import { runForPage } from './run-command.ts';

/** The commands whose output the Service view shows, by path. */
const reads: Readonly<Record<string, readonly string[]>> = {
  '/api/doctor': ['doctor'],
  '/api/profile': ['profile', 'show'],
  '/api/session': ['status'],
  '/api/runs': ['history', 'list'],
  '/api/outcomes': ['outcome', 'list'],
};

/** The routes of the Service view. */
export function serviceRoutes(ctx: Context): readonly PageRoute[] {
  return Object.entries(reads).map(([path, words]) => ({
    method: 'GET',
    path,
    async answer({ signal }) {
      // The list of checks is complete even if a check failed.
      return (await runForPage(ctx, words, { signal, accepts: 'doctor_failed' })).result;
    },
  }));
}
