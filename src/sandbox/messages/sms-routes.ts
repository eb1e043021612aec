import { smsGroupRecipients, smsTextUnits } from '../../contract/limits.ts';
import { countUtf16Units } from '../../platform/utf16.ts';
import { ownExtension } from '../request/access.ts';
import { extensionOfNumber } from '../calls/telephone.ts';
import { accountOf, type Call, type Handler } from '../request/call.ts';
import { invalidParameter, messageError, ServiceError } from '../request/errors.ts';
import type { FaxDocument } from '../fax/documents.ts';
import { toSentMessage } from './view.ts';
import { sendText } from './progress.ts';
import { addMessage, textAttachment, type NewAttachment } from './rules.ts';
import { readMmsRequest } from './mms-request.ts';
import { throttledNumber } from './text-outcomes.ts';
import type { AccountRow } from '../directory/account-store.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import type { World } from '../world/world.ts';
import { hasFeature } from '../directory/number-store.ts';

/** Serves POST .../sms (SMS-1 to SMS-8), with or without files (SMS-9). */
export const sendSms: Handler<'sendSms'> = (call) => {
  const { world, body } = call;
  const sender = ownExtension(call);
  const from = body.from.phoneNumber;
  const numbers = recipientNumbers(world, body.to);
  const files = filesOf(call);
  if (files.length === 0 || body.text !== '') checkText(body.text);
  if (numbers.includes(throttledNumber)) throw throttled();
  checkSender(world, accountOf(call), sender, from);
  const recipients = numbers.map((phoneNumber) => recipientAt(world, phoneNumber));
  const conversation = (extensionId: number, own: string) => {
    const peers = [from, ...numbers].filter((number) => number !== own).toSorted();
    return world.messages.conversation(extensionId, own, peers.join(','), () => world.random.digits(19));
  };
  const parties = {
    from: { phoneNumber: from, name: sender.name },
    to: recipients.map(({ phoneNumber, extension }) => ({
      phoneNumber,
      ...(extension && { name: extension.name }),
    })),
    type: 'SMS',
    subject: body.text,
  };
  const attachments = attachmentsOf(body.text, files);
  const sent = addMessage(
    world,
    {
      ...parties,
      extensionId: sender.id,
      direction: 'Outbound',
      messageStatus: 'Queued',
      conversationId: conversation(sender.id, from),
    },
    attachments,
  );
  for (const { phoneNumber, extension } of recipients) {
    // A text to a Disabled or Frozen extension is stored only in the sender's mailbox (SMS-7).
    if (extension?.status !== 'Enabled') continue;
    const received = { direction: 'Inbound', messageStatus: 'Received' };
    const conversationId = conversation(extension.id, phoneNumber);
    addMessage(world, { ...parties, ...received, extensionId: extension.id, conversationId }, attachments);
  }
  return { json: toSentMessage(world, sendText(world, sent)) };
};

/**
 * A text goes from one number to one number; current services accept several recipients (setting `smsRecipients`,
 * SMS-3).
 * @throws {ServiceError} CMN-101, MSG-381 for more than ten recipients.
 */
function recipientNumbers(
  { settings }: World,
  to: readonly { readonly phoneNumber: string }[],
): readonly string[] {
  const allowed = settings.smsRecipients;
  // More than ten recipients are too many for a group, too (SMS-9).
  const group = allowed > 1 ? allowed : smsGroupRecipients;
  if (to.length > group)
    throw messageError(400, 'MSG-381', `The message has more than ${group} recipients`, 'to');
  if (to.length > allowed)
    throw messageError(400, 'CMN-101', 'Parameter [to] is invalid: only one recipient is allowed', 'to');
  return [...new Set(to.map(({ phoneNumber }) => phoneNumber))];
}

/** Returns the recipients of a text (SMS-2). @throws {ServiceError} MSG-314. */
function recipientAt(world: World, phoneNumber: string) {
  const extension = extensionOfNumber(world, phoneNumber);
  if (extension && !['User', 'Take Messages Only'].includes(extension.type)) {
    throw messageError(403, 'MSG-314', `An extension of type ${extension.type} cannot receive SMS`, 'to');
  }
  return { phoneNumber, extension };
}

/** Returns the files of a text. The path `/mms` accepts only multipart bodies with a file (SMS-9). */
function filesOf({ headers, bytes, path }: Call<'sendSms'>): readonly FaxDocument[] {
  const type = headers.get('content-type') ?? '';
  const needsFiles = path.endsWith('/mms');
  const files = needsFiles || /^multipart\//i.test(type) ? readMmsRequest(type, bytes).files : [];
  if (needsFiles && files.length === 0)
    throw messageError(400, 'MSG-352', 'The message has no attachment', 'attachments');
  return files;
}

/** Returns the attachments; undefined for a text without files, because the text itself becomes the attachment. */
function attachmentsOf(text: string, files: readonly FaxDocument[]): readonly NewAttachment[] | undefined {
  if (files.length === 0) return undefined;
  return [
    ...(text === '' ? [] : [textAttachment(text)]),
    ...files.map((file) => ({ ...file, type: 'MmsAttachment' })),
  ];
}

/** Returns the error for a sender that sends texts too fast (RATE-8). */
function throttled(): ServiceError {
  return new ServiceError(429, 'MSG-305', 'Too many messages in a short time', {
    headers: { 'retry-after': '5' },
  });
}

function checkText(text: string): void {
  if (text === '') throw invalidParameter('text', 'the text is empty');
  const units = countUtf16Units(text);
  if (units <= smsTextUnits) return;
  throw invalidParameter(
    'text',
    `the text has ${units} UTF-16 code units, but at most ${smsTextUnits} are allowed`,
  );
}

/**
 * The sender number must belong to the user and be able to send texts; the company number belongs to the operator
 * (SMS-4 to SMS-6).
 */
function checkSender(world: World, account: AccountRow, sender: ExtensionRow, phoneNumber: string): void {
  const number = world.numbers.byNumber(phoneNumber);
  const isCompany = number?.extensionId === null && number.accountId === account.id;
  if (isCompany && account.operatorId !== sender.id) {
    throw messageError(
      403,
      'MSG-304',
      'Only the operator extension may send SMS from a company number',
      'from',
    );
  }
  if (!isCompany && number?.extensionId !== sender.id) {
    throw messageError(
      403,
      'MSG-304',
      `Phone number ${phoneNumber} does not belong to the extension`,
      'from',
    );
  }
  if (!hasFeature(number, 'SmsSender')) {
    throw messageError(403, 'MSG-240', `Phone number ${phoneNumber} cannot send SMS`, 'from');
  }
}
