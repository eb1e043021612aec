import { addMessage, type NewAttachment } from './rules.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import type { MessageRow } from './store.ts';
import { waveAudio } from '../media/wave-audio.ts';
import type { World } from '../world/world.ts';

/** A new voicemail. */
export interface NewVoicemail {
  /** The number of the caller in E.164 format. */
  readonly from: string;
  readonly fromName?: string | undefined;
  readonly durationSeconds: number;
  /** The transcription, if there is one. */
  readonly transcription?: string | undefined;
}

/** Puts a voicemail into a mailbox: first the recording, with the ID of the message, then the transcription (VOICEMAIL-2). */
export function leaveVoicemail(world: World, extension: ExtensionRow, voicemail: NewVoicemail): MessageRow {
  const { from, fromName, durationSeconds, transcription } = voicemail;
  const recording: NewAttachment = {
    type: 'AudioRecording',
    contentType: 'audio/x-wav',
    fileName: 'voicemail.wav',
    vmDuration: Math.round(durationSeconds),
    content: waveAudio(durationSeconds, Number(from.slice(-2))),
  };
  const words: NewAttachment = {
    type: 'AudioTranscription',
    contentType: 'text/plain',
    fileName: 'voicemail.txt',
    vmDuration: Math.round(durationSeconds),
    content: new TextEncoder().encode(transcription ?? ''),
  };
  return addMessage(
    world,
    {
      extensionId: extension.id,
      type: 'VoiceMail',
      direction: 'Inbound',
      messageStatus: 'Received',
      from: { phoneNumber: from, ...(fromName !== undefined && { name: fromName }) },
      to: [recipientOf(world, extension)],
      subject: null,
      conversationId: null,
      details: { vmTranscriptionStatus: transcription === undefined ? 'NotAvailable' : 'Completed' },
    },
    transcription === undefined ? [recording] : [recording, words],
  );
}

function recipientOf(world: World, extension: ExtensionRow) {
  const { rows } = world.numbers.list(extension.id, extension.accountId, { limit: 100, offset: 0 });
  const own = rows.find((row) => row.extensionId === extension.id);
  return {
    ...(own && { phoneNumber: own.phoneNumber }),
    ...(extension.extensionNumber !== null && { extensionNumber: extension.extensionNumber }),
    name: extension.name,
  };
}
