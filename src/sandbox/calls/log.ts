import { recordingMinSeconds } from '../../contract/limits.ts';
import type { CallRow } from './store.ts';
import { leaveVoicemail } from '../messages/voicemail.ts';
import type { World } from '../world/world.ts';
import { callRecordId, toRow, type NewCallRecord } from './record-row.ts';
import { recordsOf } from './records.ts';
import { callOf } from './state.ts';

/** Duration of the voicemail that a caller leaves when nobody answers. */
const voicemailSeconds = 8;
const firstRecordingId = 900_000_000;

/** Writes the log of a call that has ended, with its recording and the message that the caller left. */
export function logCall(world: World, callId: number): void {
  const call = callOf(world, callId);
  if (call.endedAt === null) throw new Error(`call ${callId} has not ended`);
  const { endedAt } = call;
  const records = recordsOf(world, { ...call, endedAt }, recordingOf(world, call, endedAt));
  for (const [place, record] of records.entries()) {
    const message = record.result === 'Voicemail' ? voicemailOf(world, record) : {};
    world.callRecords.add(toRow(callRecordId(callId, place), { ...record, ...message }));
  }
}

/** Stores the caller's voicemail in the callee's mailbox. Returns the message's ID and type for the call record. */
function voicemailOf(world: World, { extensionId, from }: NewCallRecord) {
  const extension = world.extensions.byId(extensionId);
  if (!extension) return {};
  const { id } = leaveVoicemail(world, extension, {
    from: from.phoneNumber ?? '',
    fromName: from.name,
    durationSeconds: voicemailSeconds,
  });
  return { messageId: id, messageType: 'VoiceMail' };
}

/** Returns the recording of the call; undefined if the call was too short for a recording. */
function recordingOf(world: World, call: CallRow, endedAt: number): number | null {
  if (!world.settings.recordCalls || call.connectedAt === null) return null;
  const duration = Math.round((endedAt - call.connectedAt) / 1000);
  if (duration < recordingMinSeconds) return null;
  const id = world.nextId('recording', firstRecordingId);
  const { accountId, connectedAt: startTime } = call;
  const sessionId = String(call.id);
  world.callRecords.addRecording({ id, accountId, sessionId, type: 'Automatic', duration, startTime });
  return id;
}
