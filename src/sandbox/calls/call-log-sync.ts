import { callSyncRecords, listDefaultSeconds, syncOverlapSeconds } from '../../contract/limits.ts';
import { ownExtension } from '../request/access.ts';
import type { Call, Handler } from '../request/call.ts';
import { readDate } from '../request/dates.ts';
import { invalidParameter, ServiceError } from '../request/errors.ts';
import { contentStart, decodeToken, encodeToken, tokenChecksum } from '../request/opaque-token.ts';
import { addressOf, extensionPath } from '../request/uris.ts';
import type { CallConditions } from './record-store.ts';
import { toCallRecord } from './record-view.ts';
import { recordedAfter } from './recordings.ts';

type Query = Call<'syncCallLog'>['query'];

/** The content of a token, which is opaque to clients. */
interface CallSyncState {
  readonly extensionId: number;
  /** Creation time in milliseconds since 1970. */
  readonly time: number;
  /** Filters of the full sync, which later syncs repeat. */
  readonly filters: Pick<CallConditions, 'recorded' | 'recordingType' | 'metadataCategory' | 'deleted'> & {
    readonly missed: boolean;
  };
  readonly contentStart?: number | undefined;
  /** Checksum of the previous token, so that every sync returns a new token even if the clock is frozen. */
  readonly after?: string | undefined;
}

/**
 * Serves GET .../call-log-sync: the latest calls of the extension, or the calls that changed since a token (CALL-25).
 */
export const syncCallLog: Handler<'syncCallLog'> = (call) => {
  const { world, query } = call;
  const extension = ownExtension(call);
  const syncType = query.syncType ?? 'FSync';
  const before = syncType === 'ISync' ? previousState(call, extension.id) : undefined;
  const filters = before?.filters ?? filtersOf(query);
  const { missed, ...conditions } = filters;
  const now = world.clock.now();
  const asked = Math.min(query.recordCount ?? callSyncRecords, callSyncRecords);
  const rows = world.callRecords.list(
    {
      accountId: extension.accountId,
      extensionId: extension.id,
      ...(before
        ? { modifiedFrom: before.time - syncOverlapSeconds * 1000 }
        : { from: readDate('dateFrom', query.dateFrom) ?? now - listDefaultSeconds * 1000 }),
      ...(missed && { results: ['Missed'] }),
      ...conditions,
      recordedAfter: recordedAfter(world),
      blocked: true,
    },
    { limit: before ? callSyncRecords : asked, offset: 0 },
  );
  // The list contains one extra row if there are more rows than the limit.
  if (before && rows.length > callSyncRecords)
    throw fullSyncRequired('CLG-102', 'There are too many changes');
  const after = query.syncToken === undefined ? undefined : tokenChecksum(query.syncToken);
  const state: CallSyncState = {
    extensionId: extension.id,
    time: now,
    filters,
    contentStart: contentStart(world),
    after,
  };
  const uri = `${extensionPath(extension)}/call-log-sync?syncType=${syncType}`;
  return {
    json: {
      uri: addressOf(world, uri),
      records: rows
        .slice(0, before ? callSyncRecords : asked)
        .map((row) => toCallRecord(world, row, query.view ?? 'Simple', false)),
      syncInfo: { syncType, syncToken: encodeToken(state), syncTime: world.clock.iso(now) },
    },
  };
};

function previousState({ world, query }: Call<'syncCallLog'>, extensionId: number): CallSyncState {
  if (query.syncToken === undefined) throw invalidParameter('syncToken');
  const state = decodeToken(query.syncToken) as Partial<CallSyncState> | undefined;
  const now = world.clock.now();
  const oldest = now - world.settings.syncTokenSeconds * 1000;
  // A token of a message sync has no filters of calls.
  const isKnown =
    isComplete(state) && state.extensionId === extensionId && state.contentStart === contentStart(world);
  if (!isKnown || state.time < oldest || state.time > now)
    throw fullSyncRequired('CLG-101', 'Parameter [syncToken] is invalid');
  return state;
}

function isComplete(state: Partial<CallSyncState> | undefined): state is CallSyncState {
  return state?.extensionId !== undefined && state.time !== undefined && state.filters !== undefined;
}

function filtersOf(query: Query): CallSyncState['filters'] {
  const { recordingType, statusGroup = [] } = query;
  return {
    missed: statusGroup.length > 0 && !statusGroup.includes('All'),
    recorded: recordingType === undefined ? query.withRecording : true,
    recordingType: recordingType === 'All' ? undefined : recordingType,
    metadataCategory: query.metadataCategory,
    deleted: query.showDeleted ?? false,
  };
}

/** Returns the error for a token from which no sync can continue. */
function fullSyncRequired(code: string, reason: string): ServiceError {
  return new ServiceError(400, code, `${reason}, full synchronization is required`, {
    parameterName: 'syncToken',
  });
}
