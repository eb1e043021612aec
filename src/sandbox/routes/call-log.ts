import type { z } from 'zod';
import type { CallLogQuery } from '../../contract/call-log.ts';
import { idsPerPath, listDefaultSeconds } from '../../contract/limits.ts';
import { isAdministrator, ownExtension } from '../access.ts';
import { accountOf, numberOf, type Call, type Handler, type Reply } from '../call.ts';
import { recordedAfter } from '../calls/recordings.ts';
import { toCallRecord } from '../calls/record-view.ts';
import { readDate } from '../dates.ts';
import { invalidParameter, notFound, ServiceError } from '../errors.ts';
import { multipartReply, type Part } from '../batch-reply.ts';
import { openListReply, pageOf } from '../paging.ts';
import type { CallConditions } from '../store/call-records.ts';
import { accountPath, extensionPath } from '../uris.ts';
import type { World } from '../world.ts';

type Query = z.infer<typeof CallLogQuery>;
type Asking = Pick<Call, 'world' | 'params' | 'caller'> & { readonly query: Query };
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
 * The account's calls are for administrators (specification, Errors).
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

function accountScope(call: Pick<Call, 'world' | 'params' | 'caller'>): Scope {
  const { id: accountId } = accountOf(call);
  requireCompanyCallLog(call);
  return { accountId, extensionId: undefined, path: `${accountPath(accountId)}/call-log` };
}

/** Only the signed-in user's own records, also for an administrator (specification, Call log and active calls). */
function ownScope(call: Pick<Call, 'world' | 'params' | 'caller'>): Scope {
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

/** Facts 1.1, L276: a session stands alone, and a call is looked for by number or by extension. */
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

/** One id is answered as a record, several as 207 multipart/mixed (facts 1.1, L278). */
function readRecords({ world, params, query }: Asking, scope: Scope): Reply {
  const ids = [...new Set((params['callRecordId'] ?? '').split(','))];
  if (ids.includes('*') || ids.includes('')) throw invalidParameter('callRecordId');
  if (ids.length > idsPerPath) {
    throw new ServiceError(400, 'CMN-106', `At most ${idsPerPath} ids are allowed`, {
      parameterName: 'callRecordId',
    });
  }
  const read = (id: string) => {
    const row = world.callRecords.byId(numberOf(id));
    const isInScope =
      row?.accountId === scope.accountId &&
      (scope.extensionId === undefined || row.extensionId === scope.extensionId);
    if (!row || !isInScope) return undefined;
    return toCallRecord(world, row, query.view ?? 'Simple', scope.extensionId === undefined);
  };
  const [only, another] = ids;
  if (only !== undefined && another === undefined) {
    const json = read(only);
    if (!json) throw notFound('callRecordId');
    return { json };
  }
  return multipartReply(ids.map((id) => toPart(`${world.baseUrl}${scope.path}/${id}`, read(id))));
}

function toPart(href: string, json: unknown): Part {
  if (json !== undefined) return { href, status: 200, json };
  return { href, status: 404, json: notFound('callRecordId').body };
}
