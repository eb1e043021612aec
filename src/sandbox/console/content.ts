import { controlNotFound } from '../control/control-error.ts';
import { isRetained } from '../calls/recordings.ts';
import { waveAudio } from '../media/wave-audio.ts';
import type { World } from '../world/world.ts';

/**
 * Content types that a browser shows in the page. Browsers download all other types, because a document could contain a
 * script.
 */
const shownTypes = /^(audio\/[\w.+-]+|image\/(png|jpeg|gif))$/;

/** Returns the content of an attachment. @throws {ControlError} 404. */
export function messageContent(world: World, messageId: number, id: number): Response {
  const row = world.attachments.one(messageId, id) ?? controlNotFound(`attachment ${id}`);
  return content(world.attachments.content(row.id), row.contentType, row.fileName ?? `attachment-${row.id}`);
}

/** Returns the audio of a recorded call. @throws {ControlError} 404. */
export function recordingContent(world: World, id: number): Response {
  const row = world.callRecords.recording(id);
  if (!row || !isRetained(world, row)) return controlNotFound(`recording ${id}`);
  return content(waveAudio(row.duration, row.id), 'audio/x-wav', `recording-${row.id}.wav`);
}

function content(bytes: Uint8Array, contentType: string, fileName: string): Response {
  const [type = ''] = contentType.toLowerCase().split(';');
  const isShown = shownTypes.test(type);
  return new Response(new Uint8Array(bytes), {
    headers: {
      'content-type': isShown ? type : 'application/octet-stream',
      'content-length': String(bytes.length),
      'accept-ranges': 'bytes',
      'content-disposition': `${isShown ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(fileName)}`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    },
  });
}
