import { FaxResend } from '../../contract/fax.ts';
import type { Party } from '../../contract/message.ts';
import { ownExtension } from '../request/access.ts';
import type { Call, Handler, Routes } from '../request/call.ts';
import { invalidParameter, messageError, notFound, ServiceError } from '../request/errors.ts';
import { canFax, queueFax, requeueFax } from './rules.ts';
import { readFaxRequest, requireBody } from './fax-request.ts';
import { toSentMessage } from '../messages/view.ts';
import { parseBody, parseShape } from '../request/shape.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import type { MessageRow } from '../messages/store.ts';
import type { World } from '../world/world.ts';

/** Serves POST .../fax: documents in a multipart body (FAX-1), or a JSON body that resends an earlier fax (FAX-8). */
const sendFax: Handler<'sendFax'> = (call) => {
  const sender = ownExtension(call);
  if (!canFax(sender)) {
    throw messageError(
      403,
      'MSG-340',
      `Faxes are not available for extension type ${sender.type}`,
      'extensionId',
    );
  }
  const contentType = call.headers.get('content-type') ?? '';
  const sent = /^application\/json\b/i.test(contentType)
    ? resend(call, sender)
    : send(call, sender, contentType);
  return { json: toFaxReply(call.world, sent) };
};

/** The reply to a fax names the files of its documents differently from all other replies (FAX-13). */
function toFaxReply(world: World, fax: MessageRow) {
  const message = toSentMessage(world, fax);
  const attachments = message.attachments.map(({ fileName, ...attachment }) => ({
    ...attachment,
    ...(fileName !== undefined && { filename: fileName }),
  }));
  return { ...message, attachments };
}

type FaxCall = Pick<Call<'sendFax'>, 'world' | 'bytes'>;

function send({ world, bytes }: FaxCall, sender: ExtensionRow, contentType: string): MessageRow {
  const { envelope, documents } = readFaxRequest(contentType, bytes);
  if (documents.length === 0) throw messageError(400, 'MSG-352', 'The fax has no document', 'attachment');
  return queueFax(world, {
    sender,
    documents,
    to: recipients(envelope.to, envelope.isoCode),
    faxResolution: envelope.faxResolution ?? 'High',
    coverIndex: envelope.coverIndex ?? 0,
    coverPageText: envelope.coverPageText,
    sendTime: timeOf(envelope.sendTime),
  });
}

/** Users can resend only their own faxes, and only after sending has finished. */
function resend({ world, bytes }: FaxCall, sender: ExtensionRow): MessageRow {
  requireBody(bytes);
  const text = new TextDecoder().decode(bytes);
  const request = parseShape(FaxResend, parseBody(text)).value as FaxResend;
  const original = world.messages.byId(Number(request.originalMessageId));
  if (original?.extensionId !== sender.id || original.type !== 'Fax' || original.availability !== 'Alive') {
    throw notFound('originalMessageId', 400);
  }
  if (original.messageStatus === 'Queued') {
    throw new ServiceError(400, 'MSG-341', 'The original fax is still queued', {
      parameterName: 'originalMessageId',
      outerCode: 'InvalidParameter',
    });
  }
  const again = request.to ?? outboundRecipients(original);
  return requeueFax(world, original, {
    sender,
    to: recipients(again, undefined),
    faxResolution: original.details.faxResolution ?? 'High',
    coverIndex: original.details.coverIndex ?? 0,
    coverPageText: original.details.coverPageText,
    sendTime: timeOf(request.sendTime),
  });
}

/** Returns the recipients of an earlier fax; empty for a received fax. */
function outboundRecipients(original: MessageRow): readonly Recipient[] {
  if (original.direction === 'Inbound') return [];
  return original.to.map(({ phoneNumber, name }) => ({ phoneNumber: phoneNumber ?? '', name }));
}

interface Recipient {
  readonly phoneNumber: string;
  readonly name?: string | undefined;
}

function recipients(list: readonly Recipient[], isoCode: string | undefined): readonly Party[] {
  if (list.length === 0)
    throw messageError(400, 'MSG-219', 'Parameter [to] is invalid. No recipients specified', 'to');
  return list.map(({ phoneNumber, name }, index) => ({
    phoneNumber: toE164(phoneNumber, isoCode, `to[${index}].phoneNumber`),
    ...(name !== undefined && { name }),
  }));
}

/** National numbers are accepted only for countries with calling code 1 (docs/internals/service-gaps.md). */
function toE164(text: string, isoCode: string | undefined, name: string): string {
  const number = text.replaceAll(/[\s().-]/g, '');
  if (/^\+[1-9]\d{6,14}$/.test(number)) return number;
  const isNorthAmerican = isoCode === undefined || /^(us|ca)$/i.test(isoCode);
  if (isNorthAmerican && /^1?[2-9]\d{9}$/.test(number)) return `+1${number.slice(-10)}`;
  throw invalidParameter(name);
}

function timeOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}

/** Routes for sending faxes; received faxes are in the message store. */
export const faxRoutes = { sendFax } satisfies Routes;
