import { digest } from '../notification/notification.ts';

/** Matches an ID that can be part of a subject without a change. */
const safeToken = /^[A-Za-z0-9_:~-]{1,100}$/;

/** Returns an ID as a part of a subject: unchanged, or a digest if a subject cannot contain it. */
export function tokenOf(id: string): string {
  return safeToken.test(id) ? id : digest(id);
}

/** The subjects of all events of a stream, or of one extension. */
export function subjectsOf(stream: string, lane?: string): string {
  return lane === undefined ? `ucctl.${stream}.>` : `ucctl.${stream}.${laneToken(lane)}.>`;
}

/**
 * The subject of one event: `ucctl.STREAM.EXTENSION.EVENT`. The ID is in the subject, because the stream has at most one
 * message of each subject, for as long as it retains messages.
 */
export function subjectOf(stream: string, lane: string, key: string): string {
  return `ucctl.${stream}.${laneToken(lane)}.${tokenOf(key)}`;
}

/** Events without an extension have a `-` in its place. */
function laneToken(lane: string): string {
  return lane === '' ? '-' : tokenOf(lane);
}
