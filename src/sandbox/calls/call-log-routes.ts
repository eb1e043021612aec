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
import { accountPath, addressOf, extensionPath } from '../request/uris.ts';
import type { World } from '../world/world.ts';

type Query = z.infer<typeof CallLogQuery>;
type Asking = Authorized & { readonly query: Query };
type Reading = Asking & Pick<Call, 'headers'>;
/** The owner of the records: one extension or the whole account. */
interface Scope {
  readonly accountId: number;
  readonly extensionId: number | undefined;
  /** Returns the path of the owner, with IDs instead of `~`. */
  readonly path: string;
}

/** Serves GET account/{accountId}/call-log. */
export const listAccountCallLog: Handler<'listAccountCallLog'> = (call) =>
  listRecords(call, accountScope(call));

/** Serves GET .../extension/{extensionId}/call-log. */
export const listCallLog: Handler<'listCallLog'> = (call) => listRecords(call, ownScope(call));

/** Serves GET account/{accountId}/call-log/{callRecordId}. */
export const readAccountCallLogRecord: Handler<'readAccountCallLogRecord'> = (call) =>
  readRecords(call, accountScope(call));

/** Serves GET .../extension/{extensionId}/call-log/{callRecordId}. */
export const readCallLogRecord: Handler<'readCallLogRecord'> = (call) => readRecords(call, ownScope(call));

/**
 * Only administrators can read the calls of the whole account (ERROR-8, CALL-1).
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

/**
 * Returns the signed-in user's own extension as the scope. Even administrators cannot read other extensions (CALL-2).
 */
function ownScope(call: Authorized): Scope {
  const extension = ownExtension(call);
  const path = `${extensionPath(extension)}/call-log`;
  return { accountId: extension.accountId, extensionId: extension.id, path };
}

function listRecords({ world, query }: Asking, scope: Scope): Reply {
  checkCombinations(query);
  checkTypes(world, query);
  const page = pageOf(query);
  const view = query.view ?? 'Simple';
  const range = rangeOf(world, query);
  const conditions: CallConditions = {
    accountId: scope.accountId,
    extensionId: scope.extensionId,
    ...range,
    ...searchOf(query),
    recordedAfter: recordedAfter(world),
  };
  const rows = world.callRecords.list(conditions, page.window);
  const { page: _page, perPage: _perPage, ...asked } = query;
  const filters = {
    ...asked,
    view,
    dateFrom: range.from === undefined ? undefined : world.clock.iso(range.from),
    dateTo: query.dateTo === undefined ? undefined : world.clock.iso(range.to),
  };
  return {
    json: openListReply({ world, path: scope.path, filters, page }, rows, (row) =>
      toCallRecord(world, row, view, scope.extensionId === undefined),
    ),
  };
}

/** The default time range is the last day (CALL-13). A search for a session takes no dates (CALL-16). */
function rangeOf(world: World, query: Query) {
  if (query.sessionId !== undefined) return {};
  const to = readDate('dateTo', query.dateTo) ?? world.clock.now();
  return { from: readDate('dateFrom', query.dateFrom) ?? to - listDefaultSeconds * 1000, to };
}

function searchOf(query: Query) {
  const { recordingType } = query;
  return {
    phoneNumber: query.phoneNumber === undefined ? undefined : `+${query.phoneNumber}`,
    extensionNumber: query.extensionNumber,
    direction: query.direction,
    type: query.type,
    transport: query.transport,
    sessionId: query.sessionId,
    telephonySessionId: query.telephonySessionId,
    recorded: recordingType === undefined ? query.withRecording : true,
    recordingType: recordingType === 'All' ? undefined : recordingType,
    metadataCategory: query.metadataCategory,
    blocked: query.showBlocked ?? true,
    deleted: query.showDeleted ?? false,
  };
}

/** The types of calls depend on the dialect (CURRENT-13). @throws {ServiceError} CMN-101 */
export function checkTypes(world: World, { type = [] }: Pick<Query, 'type'>): void {
  const own: readonly string[] = world.dialect.callTypes;
  if (type.some((one) => !own.includes(one))) throw invalidParameter('type');
}

/** sessionId cannot be combined with other filters, nor phoneNumber with extensionNumber (CALL-15, CALL-16). */
function checkCombinations(query: Query): void {
  const { page: _page, perPage: _perPage, view: _view, sessionId, ...filters } = query;
  const others = Object.values(filters).filter((value) => value !== undefined);
  if (sessionId !== undefined && others.length > 0) {
    throw new ServiceError(400, 'CLG-110', 'Parameter [sessionId] cannot be used with other filters', {
      parameterName: 'sessionId',
    });
  }
  if (query.phoneNumber !== undefined && query.extensionNumber !== undefined) {
    throw invalidParameter('phoneNumber', 'phoneNumber cannot be used together with extensionNumber');
  }
}

/**
 * Returns a record for one ID, or a 207 for several IDs (CALL-19). Connected calls are looked up in the active calls.
 */
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
    (id) => addressOf(world, `${scope.path}/${encodeURIComponent(id)}`),
    eachItem(items, ({ id }) => read(id)),
  );
}

function recordById(world: World, id: number): CallRecordRow | undefined {
  return world.callRecords.byId(id) ?? activeRecord(world, id);
}
