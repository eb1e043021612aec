import { SMS_TEXT_UNITS } from '../../contract/limits.ts';
import { countUtf16Units } from '../../platform/utf16.ts';
import { ownExtension } from '../access.ts';
import { extensionOfNumber } from '../calls/telephone.ts';
import { accountOf, type Handler } from '../call.ts';
import { invalidParameter, messageError, ServiceError } from '../errors.ts';
import { toMessage } from '../message-view.ts';
import { sendText } from '../message-progress.ts';
import { addMessage } from '../messages.ts';
import { THROTTLED_NUMBER } from '../text-outcomes.ts';
import type { AccountRow } from '../store/accounts.ts';
import type { ExtensionRow } from '../store/extensions.ts';
import type { World } from '../world.ts';

/** POST .../sms (specification, SMS rules 1, 2, 4, 5, 6 and 8). */
export const sendSms: Handler<'sendSms'> = (call) => {
  const { world, body } = call;
  const sender = ownExtension(call);
  const from = body.from.phoneNumber;
  const to = onlyRecipient(body.to);
  checkText(body.text);
  if (to === THROTTLED_NUMBER) throw throttled();
  checkSender(world, accountOf(call), sender, from);
  const recipient = extensionOfNumber(world, to);
  if (recipient && !['User', 'Take Messages Only'].includes(recipient.type)) {
    throw messageError(403, 'MSG-314', `An extension of type ${recipient.type} cannot receive SMS`, 'to');
  }
  const conversation = (extensionId: number, own: string, peer: string) =>
    world.messages.conversation(extensionId, own, peer, () => world.random.digits(19));
  const parties = {
    from: { phoneNumber: from, name: sender.name },
    to: [{ phoneNumber: to, ...(recipient && { name: recipient.name }) }],
    type: 'SMS',
    subject: body.text,
  };
  const sent = addMessage(world, {
    ...parties,
    extensionId: sender.id,
    direction: 'Outbound',
    messageStatus: 'Queued',
    conversationId: conversation(sender.id, from, to),
  });
  // Rule 8: for a Disabled or Frozen extension it is dropped and stays in the sender's outbox alone.
  if (recipient?.status === 'Enabled') {
    addMessage(world, {
      ...parties,
      extensionId: recipient.id,
      direction: 'Inbound',
      messageStatus: 'Received',
      conversationId: conversation(recipient.id, to, from),
    });
  }
  return { json: toMessage(world, sendText(world, sent)) };
};

/** Rule 2: one number to one number. */
function onlyRecipient(to: readonly { readonly phoneNumber: string }[]): string {
  const [first, second] = to;
  if (!first || second)
    throw messageError(400, 'CMN-101', 'Parameter [to] is invalid: one recipient only', 'to');
  return first.phoneNumber;
}

/** As for a sender that texts too fast (facts 1.6). */
function throttled(): ServiceError {
  return new ServiceError(429, 'MSG-305', 'Too many messages', { headers: { 'retry-after': '5' } });
}

function checkText(text: string): void {
  if (text === '') throw invalidParameter('text', 'it is empty');
  const units = countUtf16Units(text);
  if (units <= SMS_TEXT_UNITS) return;
  throw invalidParameter('text', `${units} UTF-16 code units, at most ${SMS_TEXT_UNITS} are allowed`);
}

/** Rules 4, 5 and 6: the number is one's own and can send; that of the company is the operator's. */
function checkSender(world: World, account: AccountRow, sender: ExtensionRow, phoneNumber: string): void {
  const number = world.numbers.byNumber(phoneNumber);
  const isCompany = number?.extensionId === null && number.accountId === account.id;
  if (isCompany && account.operatorId !== sender.id) {
    throw messageError(403, 'MSG-304', 'SMS from a company number needs the operator extension', 'from');
  }
  if (!isCompany && number?.extensionId !== sender.id) {
    throw messageError(
      403,
      'MSG-304',
      `Phone number ${phoneNumber} does not belong to the extension`,
      'from',
    );
  }
  if (!(JSON.parse(number.features) as string[]).includes('SmsSender')) {
    throw messageError(403, 'MSG-240', `Phone number ${phoneNumber} cannot send SMS`, 'from');
  }
}
