import { readableExtension } from '../request/access.ts';
import { extensionOf, type Handler, type Routes } from '../request/call.ts';
import { notFound } from '../request/errors.ts';
import { messageOf, readableMailbox } from '../messages/access.ts';
import { mediaReply } from './media-reply.ts';
import { squareImage } from './square-image.ts';
import { waveAudio } from './wave-audio.ts';

/** Modification time of the pictures and greetings of a fixture. */
const fixtureTime = Date.UTC(2025, 11, 1);
const greetingSeconds = 4;

/** Serves GET .../message-store/{messageId}/content/{contentId}: an attachment; purged messages have no attachments. */
const readMessageContent: Handler<'readMessageContent'> = (call) => {
  const { world, params } = call;
  const message = messageOf(world, readableMailbox(call), Number(params['messageId']), ['Alive', 'Deleted']);
  const attachment = world.attachments.one(message.id, Number(params['contentId']));
  if (!attachment) throw notFound('contentId');
  return mediaReply(call, {
    bytes: world.attachments.content(attachment.id),
    contentType: attachment.contentType,
    modifiedAt: message.creationTime,
    fileName: attachment.fileName ?? undefined,
  });
};

/**
 * Serves GET .../profile-image/content/{contentId}: readable by every user of the account. The ID of the image is the
 * ID of the extension.
 */
const readProfileImageContent: Handler<'readProfileImageContent'> = (call) => {
  const { id } = extensionOf(call);
  if (call.params['contentId'] !== String(id)) throw notFound('contentId');
  return mediaReply(call, {
    bytes: squareImage(id),
    contentType: 'image/png',
    modifiedAt: fixtureTime,
    fileName: 'profile.png',
  });
};

/**
 * Serves GET .../greeting/{greetingId}/content/{contentId}: each extension has one greeting. Both IDs are the ID of the
 * extension.
 */
const readGreetingContent: Handler<'readGreetingContent'> = (call) => {
  const { id } = readableExtension(call);
  for (const name of ['greetingId', 'contentId']) if (call.params[name] !== String(id)) throw notFound(name);
  return mediaReply(call, {
    bytes: waveAudio(greetingSeconds, id),
    contentType: 'audio/x-wav',
    modifiedAt: fixtureTime,
    fileName: 'greeting.wav',
  });
};

/** Routes of content, except recordings (in calls). */
export const mediaRoutes = {
  readMessageContent,
  readProfileImageContent,
  readGreetingContent,
} satisfies Routes;
