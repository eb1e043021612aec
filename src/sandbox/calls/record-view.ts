import type { CallParty } from '../../contract/call-log.ts';
import type { CallRecordRow } from './record-store.ts';
import { accountPath, addressOf, extensionPath } from '../request/uris.ts';
import type { World } from '../world/world.ts';
import type { StoredLeg } from './record-row.ts';
import { recordingReference } from './recordings.ts';

type View = 'Simple' | 'Detailed';

/** Returns a record in the format of the service. Only the Detailed view contains legs (CALL-4, CALL-5). */
export function toCallRecord(world: World, row: CallRecordRow, view: View, isAccountLevel: boolean) {
  const base = isAccountLevel ? accountPath(row.accountId) : extensionPath(ownerOf(row));
  const isDetailed = view === 'Detailed';
  return {
    uri: addressOf(world, `${base}/call-log/${row.id}?view=${view}`),
    id: String(row.id),
    sessionId: row.sessionId,
    telephonySessionId: row.telephonySessionId,
    startTime: world.clock.iso(row.startTime),
    duration: row.duration,
    type: row.type,
    direction: row.direction,
    action: row.action,
    result: row.result,
    to: JSON.parse(row.recipient) as CallParty,
    from: JSON.parse(row.sender) as CallParty,
    extension: extensionReference(world, row.accountId, row.extensionId),
    ...recordingReference(world, row),
    ...messageReference(world, row),
    ...(isDetailed && {
      transport: row.transport,
      lastModifiedTime: world.clock.iso(row.lastModifiedTime),
      legs: (JSON.parse(row.legs) as StoredLeg[]).map((leg) => toLeg(world, row, leg)),
    }),
    ...(row.deleted === 1 && { deleted: true }),
  };
}

function toLeg(world: World, row: CallRecordRow, { extensionId, startTime, ...leg }: StoredLeg) {
  return {
    ...leg,
    type: row.type,
    startTime: world.clock.iso(startTime),
    ...(extensionId !== undefined && {
      extension: extensionReference(world, row.accountId, extensionId),
    }),
    ...(leg.master === true && { ...recordingReference(world, row), ...messageReference(world, row) }),
  };
}

function ownerOf(row: CallRecordRow) {
  return { accountId: row.accountId, id: row.extensionId };
}

function extensionReference(world: World, accountId: number, id: number) {
  return { uri: addressOf(world, extensionPath({ accountId, id })), id };
}

/** Returns the message that belongs to the record: the fax, or the voicemail of the caller. */
function messageReference(world: World, row: CallRecordRow) {
  if (row.messageId === null || row.messageType === null) return {};
  const uri = addressOf(world, `${extensionPath(ownerOf(row))}/message-store/${row.messageId}`);
  return { message: { id: String(row.messageId), type: row.messageType, uri } };
}
