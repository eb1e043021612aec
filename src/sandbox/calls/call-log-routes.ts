import type { z } from 'zod';
import type { CallLogQuery } from '../../contract/call-log.ts';
import { listDefaultSeconds } from '../../contract/limits.ts';
import { isAdministrator, ownExtension } from '../request/access.ts';
import { batchReply, eachItem } from '../request/batch-reply.ts';
import { idsOf } from '../request/batch-request.ts';
import { accountOf, type Authorized, type Call, type Handler, type Reply } from '../request/call.ts';
import { activeRecord } from './active-calls.ts';
import { recordedAfter } from './recordings.ts';
import { toCallRecord } from './record-view.ts';
import { readDate } from '../request/dates.ts';
import { invalidParameter, notFound, ServiceError } from '../request/errors.ts';
import { openListReply, pageOf } from '../request/paging.ts';
import type { CallConditions, CallRecordRow } from './record-store.ts';
import { accountPath, extensionPath } from '../request/uris.ts';
import type { World } from '../world/world.ts';

type Query = z.infer<typeof CallLogQuery>;
type Asking = Authorized & { readonly query: Query };
type Reading = Asking & Pick<Call, 'headers'>;
/** Whose records: of one extension, or of the whole account. */
interface Scope {
  readonly accountId: number;
  readonly extensionId: number | undefined;
  /** With ids. */
  readonly path: string;
}

/** GET account/{accountId}/call-log. */
export const listAccountCallLog: Handler<'listAccountCallLog'> = (call) =>
  listRecords(call, accountScope(call));

/** GET .../extension/{extensionId}/call-log. */
export const listCallLog: Handler<'listCallLog'> = (call) => listRecords(call, ownScope(call));

/** GET account/{accountId}/call-log/{callRecordId}. */
export const readAccountCallLogRecord: Handler<'readAccountCallLogRecord'> = (call) =>
  readRecords(call, accountScope(call));

/** GET .../extension/{extensionId}/call-log/{callRecordId}. */
export const readCallLogRecord: Handler<'readCallLogRecord'> = (call) => readRecords(call, ownScope(call));

/**
 * The account's calls are for administrators (ERROR-8, CALL-1).
 * @throws {ServiceError} 403 InsufficientPermissions that names ReadCompanyCallLog.
 */
export function requireCompanyCallLog({ caller }: Pick<Call, 'caller'>): void {
  if (isAdministrator(caller.extension)) return;
  const permissionName = 'ReadCompanyCallLog';
  throw new ServiceError(403, 'CMN-408', `[${permissionName}] permission required`, {
    permissionName,
    outerCode: 'InsufficientPermissions',
  });
}

function accountScope(call: Authorized): Scope {
  const { id: accountId } = accountOf(call);
  requireCompanyCallLog(call);
  return { accountId, extensionId: undefined, path: `${accountPath(accountId)}/call-log` };
}

/** Only the signed-in user's own records, also for an administrator (CALL-2). */
function ownScope(call: Authorized): Scope {
  const extension = ownExtension(call);
  const path = `${extensionPath(extension)}/call-log`;
  return { accountId: extension.accountId, extensionId: extension.id, path };
}

function listRecords({ world, query }: Asking, scope: Scope): Reply {
  checkCombinations(query);
  const page = pageOf(query);
  const view = query.view ?? 'Simple';
  const frame = frameOf(world, query);
  const conditions: CallConditions = {
    accountId: scope.accountId,
    extensionId: scope.extensionId,
    ...frame,
    ...searchOf(query),
    recordedAfter: recordedAfter(world),
  };
  const rows = world.callRecords.list(conditions, page.window);
  const { page: _page, perPage: _perPage, ...asked } = query;
  const filters = {
    ...asked,
    view,
    dateFrom: frame.from === undefined ? undefined : world.clock.iso(frame.from),
    dateTo: query.dateTo === undefined ? undefined : world.clock.iso(frame.to),
  };
  return {
    json: openListReply(world, scope.path, filters, page, rows, (row) =>
      toCallRecord(world, row, view, scope.extensionId === undefined),
    ),
  };
}

/** The last day unless asked otherwise; a session is looked for in all time. */
function frameOf(world: World, query: Query) {
  if (query.sessionId !== undefined || query.telephonySessionId !== undefined) return {};
  const to = readDate('dateTo', query.dateTo) ?? world.clock.now();
  return { from: readDate('dateFrom', query.dateFrom) ?? to - listDefaultSeconds * 1000, to };
}

function searchOf(query: Query) {
  const { recordingType } = query;
  return {
    phoneNumber: query.phoneNumber?.trim().replace(/^(?=\d)/, '+'),
    extensionNumber: query.extensionNumber,
    direction: query.direction,
    type: query.type,
    transport: query.transport,
    sessionId: query.sessionId,
    telephonySessionId: query.telephonySessionId,
    recorded: recordingType === undefined ? query.withRecording : true,
    recordingType: recordingType === 'All' ? undefined : recordingType,
    blocked: query.showBlocked ?? true,
    deleted: query.showDeleted ?? false,
  };
}

/** A session excludes other filters, and a number excludes an extension (CALL-15, CALL-16). */
function checkCombinations(query: Query): void {
  const { page: _page, perPage: _perPage, view: _view, sessionId, ...filters } = query;
  const others = Object.values(filters).filter((value) => value !== undefined);
  if (sessionId !== undefined && others.length > 0) {
    throw new ServiceError(400, 'CLG-110', 'Parameter [sessionId] cannot be used with other filters', {
      parameterName: 'sessionId',
    });
  }
  if (query.phoneNumber !== undefined && query.extensionNumber !== undefined) {
    throw invalidParameter('phoneNumber', 'it cannot be used together with extensionNumber');
  }
}

/** One id returns a record, several a 207 (CALL-19). A connected call is returned by the id that active calls give it. */
function readRecords(call: Reading, scope: Scope): Reply {
  const { world, params, query } = call;
  const [only = '', ...others] = idsOf('callRecordId', params['callRecordId'] ?? '');
  const read = (id: string) => {
    const row = /^\d{1,15}$/.test(id) ? recordById(world, Number(id)) : undefined;
    const isInScope =
      row?.accountId === scope.accountId &&
      (scope.extensionId === undefined || row.extensionId === scope.extensionId);
    if (!row || !isInScope) throw notFound('callRecordId');
    return toCallRecord(world, row, query.view ?? 'Simple', scope.extensionId === undefined);
  };
  if (others.length === 0) return { json: read(only) };
  const items = [only, ...others].map((id) => ({ id }));
  return batchReply(
    call,
    (id) => `${world.baseUrl}${scope.path}/${encodeURIComponent(id)}`,
    eachItem(items, ({ id }) => read(id)),
  );
}

function recordById(world: World, id: number): CallRecordRow | undefined {
  return world.callRecords.byId(id) ?? activeRecord(world, id);
}
