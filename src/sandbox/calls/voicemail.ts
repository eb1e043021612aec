import type { CallParty } from '../../contract/call-log.ts';
import { addMessage } from '../messages.ts';
import type { World } from '../world.ts';

/** A message of the caller in the mailbox of who was called; the record of the call links it. */
export function leaveVoicemail(world: World, extensionId: number, from: CallParty) {
  const extension = world.extensions.byId(extensionId);
  const number = world.numbers.direct(extensionId)?.phoneNumber;
  const message = addMessage(world, {
    extensionId,
    type: 'VoiceMail',
    direction: 'Inbound',
    messageStatus: 'Received',
    from: {
      ...(from.phoneNumber !== undefined && { phoneNumber: from.phoneNumber }),
      ...(from.name !== undefined && { name: from.name }),
    },
    to: [{ ...(number && { phoneNumber: number }), ...(extension && { name: extension.name }) }],
    subject: null,
    conversationId: null,
  });
  return { messageId: message.id, messageType: 'VoiceMail' };
}
