import { dayMilliseconds } from '../../platform/day.ts';
import type { CallRecordRow, RecordingRow } from './record-store.ts';
import { accountPath, addressOf, mediaAddressOf } from '../request/uris.ts';
import type { World } from '../world/world.ts';

/** Time before which recordings are no longer retained. */
export function recordedAfter(world: World): number {
  return world.clock.now() - world.settings.recordingDays * dayMilliseconds;
}

/** Whether a recording is still retained. */
export function isRetained(world: World, { startTime }: { readonly startTime: number }): boolean {
  return startTime > recordedAfter(world);
}

/** Returns the address of the metadata of a recording. */
export function recordingUri(world: World, accountId: number, id: number): string {
  return addressOf(world, `${accountPath(accountId)}/recording/${id}`);
}

/** Returns the address of the audio, which may be on another origin and ends in `/content/{id}` (MEDIA-1). */
export function contentUri(world: World, { accountId, id }: Pick<RecordingRow, 'accountId' | 'id'>): string {
  return mediaAddressOf(world, `${accountPath(accountId)}/recording/${id}/content/${id}`);
}

/** The `recording` member of a record, while the recording is retained. */
export function recordingReference(world: World, row: CallRecordRow) {
  const recording = row.recordingId === null ? undefined : world.callRecords.recording(row.recordingId);
  if (!recording || !isRetained(world, recording)) return {};
  return {
    recording: {
      id: String(recording.id),
      uri: recordingUri(world, row.accountId, recording.id),
      type: recording.type,
      contentUri: contentUri(world, recording),
    },
  };
}
