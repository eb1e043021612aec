import { dayMilliseconds } from '../../platform/day.ts';
import type { Party } from '../../contract/message.ts';
import { logFax } from '../calls/message-log.ts';
import { extensionOfNumber } from '../calls/telephone.ts';
import { renderFax, type FaxDocument } from './documents.ts';
import { faxErrorOf } from './outcomes.ts';
import { addMessage, changeMessage, type NewAttachment } from '../messages/rules.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import type { MessageDetails, MessageRow } from '../messages/store.ts';
import type { World } from '../world/world.ts';

/** A validated fax request. */
interface Fax {
  readonly sender: ExtensionRow;
  readonly to: readonly Party[];
  readonly documents: readonly FaxDocument[];
  readonly faxResolution: string;
  readonly coverIndex: number;
  readonly coverPageText?: string | undefined;
  /** Milliseconds since 1970. */
  readonly sendTime?: number | undefined;
}

const pdf = 'application/pdf';

/**
 * Renders and queues a fax, which a timer sends later. @throws {ServiceError} MSG-338 if the fax has too many pages.
 */
export function queueFax(world: World, fax: Fax): MessageRow {
  const from = faxNumberOf(world, fax.sender);
  const cover = {
    index: fax.coverIndex,
    text: fax.coverPageText,
    from: fax.sender.name,
    to: fax.to.map((party) => party.name ?? party.phoneNumber ?? ''),
  };
  const rendered = renderFax(fax.documents, fax.coverIndex > 0 ? cover : undefined);
  const sources = fax.documents.map((document) => toAttachment('SourceDocument', document));
  const attachments = [toAttachment('RenderedDocument', renderedDocument(rendered.content)), ...sources];
  return storeFax(world, fax, from, rendered.pages, attachments);
}

/** Resends the documents of an earlier fax. */
export function requeueFax(world: World, original: MessageRow, fax: Omit<Fax, 'documents'>): MessageRow {
  const attachments = world.attachments.ofMessage(original.id).map(({ id, type, contentType, fileName }) => ({
    type,
    contentType,
    fileName,
    content: world.attachments.content(id),
  }));
  const from = faxNumberOf(world, fax.sender);
  return storeFax(world, fax, from, original.details.faxPageCount ?? 1, attachments);
}

function storeFax(
  world: World,
  fax: Omit<Fax, 'documents'>,
  from: string,
  faxPageCount: number,
  attachments: readonly NewAttachment[],
): MessageRow {
  const { faxResolution, coverIndex, coverPageText, sendTime } = fax;
  const details: MessageDetails = {
    faxResolution,
    faxPageCount,
    coverIndex,
    ...(coverPageText !== undefined && { coverPageText }),
    ...(sendTime !== undefined && { sendTime }),
  };
  const row = addMessage(
    world,
    {
      extensionId: fax.sender.id,
      type: 'Fax',
      direction: 'Outbound',
      messageStatus: 'Queued',
      from: { phoneNumber: from, name: fax.sender.name },
      to: fax.to.map((party) => ({ ...party, messageStatus: 'Queued' })),
      subject: null,
      conversationId: null,
      details,
    },
    attachments,
  );
  return launchFax(world, row);
}

/**
 * Schedules a queued fax according to the setting `messageProgression`: with a timer, immediately, or with a trigger;
 * never before its sendTime.
 */
export function launchFax(world: World, row: MessageRow): MessageRow {
  const { messageProgression, faxSentMilliseconds } = world.settings;
  const now = world.clock.now();
  const start = Math.max(row.details.sendTime ?? now, now);
  if (messageProgression === 'manual') return row;
  if (messageProgression === 'immediate' && start === now) return finishFax(world, row);
  world.timers.set('fax.sent', row.id, start + faxSentMilliseconds);
  return row;
}

/** Sends a queued fax to its recipients; recipients of this account get their own copy. */
export function finishFax(world: World, row: MessageRow): MessageRow {
  const to = row.to.map((party) => {
    const recipient = recipientOf(world, party.phoneNumber ?? '');
    const faxErrorCode = faxErrorOf(party.phoneNumber ?? '') ?? recipient?.faxErrorCode;
    if (faxErrorCode !== undefined) return { ...party, messageStatus: 'SendingFailed', faxErrorCode };
    if (recipient?.extension) receiveFax(world, recipient.extension, row, party);
    return { ...party, messageStatus: 'Sent' };
  });
  const anySent = to.some((party) => party.messageStatus === 'Sent');
  const done = changeMessage(world, row, { to, messageStatus: anySent ? 'Sent' : 'SendingFailed' });
  logFax(world, done);
  if (anySent) {
    world.timers.set('fax.old', row.id, world.clock.now() + world.settings.sentFaxDays * dayMilliseconds);
  }
  return done;
}

function receiveFax(world: World, recipient: ExtensionRow, sent: MessageRow, party: Party): void {
  const rendered = world.attachments.content(sent.id);
  const { faxResolution, faxPageCount } = sent.details;
  const row = addMessage(
    world,
    {
      extensionId: recipient.id,
      type: 'Fax',
      direction: 'Inbound',
      messageStatus: 'Received',
      from: sent.from,
      to: [
        { ...(party.phoneNumber !== undefined && { phoneNumber: party.phoneNumber }), name: recipient.name },
      ],
      subject: null,
      conversationId: null,
      details: {
        ...(faxResolution !== undefined && { faxResolution }),
        ...(faxPageCount !== undefined && { faxPageCount }),
      },
    },
    [toAttachment('RenderedDocument', renderedDocument(rendered))],
  );
  logFax(world, row);
}

/** Stores a fax from outside, with a text that is rendered as pages, or with a PDF. */
export function arriveFax(
  world: World,
  recipient: ExtensionRow,
  fax: { readonly from: string; readonly document: FaxDocument },
): MessageRow {
  const rendered = renderFax([fax.document], undefined);
  const row = addMessage(
    world,
    {
      extensionId: recipient.id,
      type: 'Fax',
      direction: 'Inbound',
      messageStatus: 'Received',
      from: { phoneNumber: fax.from },
      to: [{ phoneNumber: faxNumberOf(world, recipient), name: recipient.name }],
      subject: null,
      conversationId: null,
      details: { faxResolution: 'High', faxPageCount: rendered.pages },
    },
    [toAttachment('RenderedDocument', renderedDocument(rendered.content))],
  );
  logFax(world, row);
  return row;
}

const capable = new Set(['User', 'VirtualUser', 'FaxUser', 'Take Messages Only', 'Department']);

/** Whether extensions of this type can have faxes. */
export function canFax(extension: ExtensionRow): boolean {
  return capable.has(extension.type);
}

/** Returns the extension that receives a fax to this number, or the reason why no extension can receive it. */
function recipientOf(
  world: World,
  phoneNumber: string,
): { readonly extension?: ExtensionRow; readonly faxErrorCode?: string } | undefined {
  const number = world.numbers.byNumber(phoneNumber);
  if (!number) return undefined;
  const extension = extensionOfNumber(world, phoneNumber);
  if (!extension || number.type === 'VoiceOnly' || !canFax(extension))
    return { faxErrorCode: 'NoFaxMachine' };
  return extension.status === 'Enabled' ? { extension } : { faxErrorCode: 'NotAccepted' };
}

/** Returns the number from which faxes are sent. A request cannot choose it (FAX-9). */
function faxNumberOf(world: World, extension: ExtensionRow): string {
  const { rows } = world.numbers.list(extension.id, extension.accountId, { limit: 100, offset: 0 });
  const own = rows.find((row) => row.extensionId === extension.id && row.type !== 'VoiceOnly');
  return own?.phoneNumber ?? world.accounts.byId(extension.accountId)?.mainNumber ?? '';
}

function renderedDocument(content: Uint8Array): FaxDocument {
  return { content, contentType: pdf, fileName: 'fax.pdf' };
}

function toAttachment(type: string, { content, contentType, fileName }: FaxDocument): NewAttachment {
  return { type, contentType, fileName, content };
}
