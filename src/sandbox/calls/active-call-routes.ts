import type { z } from 'zod';
import type { ActiveCallsQuery } from '../../contract/call-log.ts';
import { maxPerPage } from '../../contract/limits.ts';
import { readableExtension } from '../request/access.ts';
import { accountOf, type Handler, type Reply } from '../request/call.ts';
import { activeCalls } from './active-calls.ts';
import { toCallRecord } from './record-view.ts';
import { openListReply, pageOf } from '../request/paging.ts';
import type { CallRecordRow } from './record-store.ts';
import { accountPath, extensionPath } from '../request/uris.ts';
import type { World } from '../world/world.ts';
import { checkTypes, requireCompanyCallLog } from './call-log-routes.ts';

type Query = z.infer<typeof ActiveCallsQuery>;

/** Serves GET account/{accountId}/active-calls: administrators only. */
export const listAccountActiveCalls: Handler<'listAccountActiveCalls'> = (call) => {
  const { world, query } = call;
  const { id } = accountOf(call);
  requireCompanyCallLog(call);
  return listCalls({ world, query, path: accountPath(id), isAccountLevel: true }, activeCalls(world, id));
};

/** Serves GET .../extension/{extensionId}/active-calls. */
export const listActiveCalls: Handler<'listActiveCalls'> = (call) => {
  const { world, query } = call;
  const extension = readableExtension(call);
  const rows = activeCalls(world, extension.accountId, extension.id);
  return listCalls({ world, query, path: extensionPath(extension), isAccountLevel: false }, rows);
};

interface Asked {
  readonly world: World;
  readonly query: Query;
  /** Returns the path of the account or extension whose calls are listed. */
  readonly path: string;
  readonly isAccountLevel: boolean;
}

/**
 * Returns one page of the calls that the filters select. If the setting ignores the query, all calls in the Simple
 * view.
 */
function listCalls({ world, query, path, isAccountLevel }: Asked, calls: readonly CallRecordRow[]): Reply {
  checkTypes(world, query);
  const isDropped = world.settings.activeCallQueries === 'dropped';
  const { page: _page, perPage: _perPage, view = 'Simple', ...filters } = query;
  const rows = calls.filter((row) => isSelected(row, query));
  const perPage = Math.max(maxPerPage, rows.length);
  const page = isDropped ? { page: 1, perPage, window: { limit: perPage, offset: 0 } } : pageOf(query);
  const { limit, offset } = page.window;
  // One extra row is read to detect whether another page follows.
  const shown = rows.slice(offset, offset + limit + 1);
  const request = { world, path: `${path}/active-calls`, filters: { ...filters, view }, page };
  return {
    json: openListReply(request, shown, (row) => toCallRecord(world, row, view, isAccountLevel)),
  };
}

/** The sandbox has no conference calls, so that no call matches a type of conference. */
function isSelected(row: CallRecordRow, { direction, type, transport, conferenceType }: Query): boolean {
  if (conferenceType !== undefined) return false;
  const has = (values: readonly string[] | undefined, value: string): boolean =>
    values?.includes(value) ?? true;
  return has(direction, row.direction) && has(type, row.type) && has(transport, row.transport);
}
