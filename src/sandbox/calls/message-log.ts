import type { MessageRow } from '../messages/store.ts';
import type { World } from '../world/world.ts';
import { addMessageRecord } from './record-row.ts';

/** Seconds of transmission per fax page. */
const pageSeconds = 30;
const firstMessageSession = 9_020_000_000;

/** Logs a sent or received fax. The record contains the address of the message. */
export function logFax(world: World, message: MessageRow): void {
  const isSent = message.direction === 'Outbound';
  logMessage(world, message, {
    duration: (message.details.faxPageCount ?? 1) * pageSeconds,
    action: isSent ? 'Outgoing Fax' : 'Incoming Fax',
    legType: isSent ? 'FaxSent' : 'Accept',
  });
}

/** Logs a sent or received text, if the setting `logTexts` is on (CALL-11: type SMS). */
export function logText(world: World, message: MessageRow): void {
  if (!world.settings.logTexts) return;
  logMessage(world, message, { duration: 0, action: 'Text Relay', legType: 'Unknown' });
}

function logMessage(
  world: World,
  message: MessageRow,
  {
    duration,
    action,
    legType,
  }: { readonly duration: number; readonly action: string; readonly legType: string },
): void {
  const extension = world.extensions.byId(message.extensionId);
  const [recipient] = message.to;
  if (!extension) return;
  const now = world.clock.now();
  const shared = {
    startTime: now,
    duration,
    direction: message.direction,
    action,
    result: resultOf(message),
    transport: 'PSTN',
    from: partyOf(message.from),
    to: partyOf(recipient ?? {}),
  };
  addMessageRecord(world, {
    ...shared,
    accountId: extension.accountId,
    extensionId: extension.id,
    sessionId: String(world.nextId('fax', firstMessageSession)),
    telephonySessionId: `s-${world.random.bytes(12).toString('hex')}`,
    type: message.type,
    lastModifiedTime: now,
    messageId: message.id,
    messageType: message.type,
    legs: [{ ...shared, legType, extensionId: extension.id, master: true }],
  });
}

function resultOf(message: MessageRow): string {
  if (message.direction === 'Inbound') return 'Received';
  return message.messageStatus === 'Sent' ? 'Sent' : 'Send Error';
}

function partyOf(party: { readonly phoneNumber?: string | undefined; readonly name?: string | undefined }) {
  return {
    ...(party.phoneNumber !== undefined && { phoneNumber: party.phoneNumber }),
    ...(party.name !== undefined && { name: party.name }),
  };
}
