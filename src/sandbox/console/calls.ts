import type { CallParty } from '../../contract/call-log.ts';
import { isRetained, recordedAfter } from '../calls/recordings.ts';
import type { CallRecordRow } from '../calls/record-store.ts';
import type { RowWindow } from '../world/sql.ts';
import type { World } from '../world/world.ts';
import type { CallView } from './types.ts';

/** Returns the call log of the account, latest first, with one extra record if more records follow. */
export function listCalls(
  world: World,
  search: string | undefined,
  window: RowWindow,
): { readonly records: readonly CallView[] } {
  const isNumber = search !== undefined && /^\+?\d{6,}$/.test(search);
  const rows = world.callRecords.list(
    {
      accountId: world.accounts.first().id,
      recordedAfter: recordedAfter(world),
      blocked: true,
      deleted: false,
      ...(search !== undefined &&
        search !== '' &&
        (isNumber ? { phoneNumber: search } : { extensionNumber: search })),
    },
    window,
  );
  return { records: rows.map((row) => toCall(world, row)) };
}

function toCall(world: World, row: CallRecordRow): CallView {
  const recording = row.recordingId === null ? undefined : world.callRecords.recording(row.recordingId);
  const owner = world.extensions.byId(row.extensionId);
  return {
    id: String(row.id),
    time: world.clock.iso(row.startTime),
    seconds: row.duration,
    direction: row.direction,
    type: row.type,
    result: row.result,
    from: partyText(row.sender),
    to: partyText(row.recipient),
    extension: owner ? `${owner.name} (${owner.extensionNumber})` : 'deleted',
    ...(recording &&
      isRetained(world, recording) && { recording: `/sandbox/v1/recordings/${recording.id}/content` }),
  };
}

/** Returns the name and number of a party, as far as the record contains them. */
function partyText(json: string): string {
  const { name, phoneNumber, extensionNumber } = JSON.parse(json) as CallParty;
  const number = phoneNumber ?? extensionNumber;
  if (name === undefined) return number ?? 'unknown';
  return number === undefined ? name : `${name} (${number})`;
}
