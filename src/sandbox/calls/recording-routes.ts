import { isAdministrator } from '../request/access.ts';
import { accountOf, type Authorized, type Handler } from '../request/call.ts';
import { contentUri, isRetained, recordingUri } from './recordings.ts';
import { notFound, userNotAllowed } from '../request/errors.ts';
import { mediaReply } from '../media/media-reply.ts';
import type { RecordingRow } from './record-store.ts';
import { waveAudio } from '../media/wave-audio.ts';

const contentType = 'audio/x-wav';

/** Serves GET account/{accountId}/recording/{recordingId} (MEDIA-5). */
export const readRecording: Handler<'readRecording'> = (call) => {
  const { world } = call;
  const recording = recordingOf(call);
  return {
    json: {
      id: String(recording.id),
      uri: recordingUri(world, recording.accountId, recording.id),
      contentUri: contentUri(world, recording),
      contentType: contentType,
      duration: recording.duration,
    },
  };
};

/** Serves GET .../recording/{recordingId}/content/{contentId}. The audio is generated for each request. */
export const readRecordingContent: Handler<'readRecordingContent'> = (call) => {
  const recording = recordingOf(call);
  const contentId = call.params['contentId'];
  if (contentId !== undefined && contentId !== String(recording.id)) throw notFound('contentId');
  return mediaReply(call, {
    bytes: waveAudio(recording.duration, recording.id),
    contentType: contentType,
    modifiedAt: recording.startTime,
    fileName: `recording-${recording.id}.wav`,
  });
};

/**
 * Returns the recording of the path, if it is retained and the signed-in user may access it. Users may access
 * recordings of their own calls; administrators may access all recordings.
 * @throws {ServiceError} 404 CMN-102, 403 CMN-408.
 */
function recordingOf(call: Authorized): RecordingRow {
  const { world, caller } = call;
  const account = accountOf(call);
  const recording = world.callRecords.recording(Number(call.params['recordingId']));
  if (recording?.accountId !== account.id || !isRetained(world, recording)) throw notFound('recordingId');
  const isOwn = world.callRecords.isOwnRecording(recording, caller.extension.id);
  if (isOwn || isAdministrator(caller.extension)) return recording;
  throw userNotAllowed('CMN-408', 'The recording belongs to a call of another extension');
}
