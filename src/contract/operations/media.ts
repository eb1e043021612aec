import { Recording } from '../call-log.ts';
import { MediaQuery } from '../media.ts';
import type { Operation } from './operation.ts';
import { account, extension } from './paths.ts';

/** Media outside of mailboxes. */
export const media = {
  readRecording: {
    method: 'GET',
    path: `${account}/recording/{recordingId}`,
    section: 'Media content',
    summary: 'Reads the metadata of a call recording',
    authorization: 'bearer',
    permission: 'ReadCallRecording',
    group: 'Heavy',
    status: 200,
    reply: Recording,
  },
  readRecordingContent: {
    method: 'GET',
    path: `${account}/recording/{recordingId}/content/{contentId}`,
    aliases: [`${account}/recording/{recordingId}/content`],
    section: 'Media content',
    summary: 'Reads a call recording, or a range of its bytes',
    authorization: 'bearer',
    permission: 'ReadCallRecording',
    group: 'Heavy',
    query: MediaQuery,
    media: true,
    status: 200,
  },
  readGreetingContent: {
    method: 'GET',
    path: `${extension}/greeting/{greetingId}/content/{contentId}`,
    section: 'Media content',
    summary: 'Reads a greeting',
    authorization: 'bearer',
    permission: 'ReadAccounts',
    group: 'Medium',
    query: MediaQuery,
    media: true,
    status: 200,
  },
  readProfileImageContent: {
    method: 'GET',
    path: `${extension}/profile-image/content/{contentId}`,
    section: 'Media content',
    summary: 'Reads a profile image',
    authorization: 'bearer',
    permission: 'ReadAccounts',
    group: 'Medium',
    query: MediaQuery,
    media: true,
    status: 200,
  },
} as const satisfies Record<string, Operation>;
