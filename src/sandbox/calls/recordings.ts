import type { CallRecordRow, RecordingRow } from './record-store.ts';
import { accountPath } from '../request/uris.ts';
import type { World } from '../world/world.ts';

const day = 86_400_000;

/** Older recordings are no longer kept. */
export function recordedAfter(world: World): number {
  return world.clock.now() - world.settings.recordingDays * day;
}

/** Whether a recording of that time is still kept. */
export function isKept(world: World, { startTime }: { readonly startTime: number }): boolean {
  return startTime > recordedAfter(world);
}

/** Address of the metadata. */
export function recordingUri(world: World, accountId: number, id: number): string {
  return `${world.baseUrl}${accountPath(accountId)}/recording/${id}`;
}

/** Address of the sound; it may be on another origin and ends in `/content/{id}` (MEDIA-1). */
export function contentUri(world: World, { accountId, id }: Pick<RecordingRow, 'accountId' | 'id'>): string {
  return `${world.mediaBaseUrl}${accountPath(accountId)}/recording/${id}/content/${id}`;
}

/** The `recording` member of a record, while the recording is kept. */
export function recordingReference(world: World, row: CallRecordRow) {
  const recording = row.recordingId === null ? undefined : world.callRecords.recording(row.recordingId);
  if (!recording || !isKept(world, recording)) return {};
  return {
    recording: {
      id: String(recording.id),
      uri: recordingUri(world, row.accountId, recording.id),
      type: recording.type,
      contentUri: contentUri(world, recording),
    },
  };
}
