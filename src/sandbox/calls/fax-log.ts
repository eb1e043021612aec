import type { MessageRow } from '../store/messages.ts';
import type { World } from '../world.ts';
import { addCallRecord } from './record-row.ts';

/** Seconds that a page is on the line. */
const PAGE_SECONDS = 30;
const FIRST_FAX_SESSION = 9_020_000_000;

/** Logs a fax that went out or came in; its record links the message. */
export function logFax(world: World, message: MessageRow): void {
  const extension = world.extensions.byId(message.extensionId);
  const [recipient] = message.to;
  if (!extension) return;
  const isSent = message.direction === 'Outbound';
  const now = world.clock.now();
  const duration = (message.details.faxPageCount ?? 1) * PAGE_SECONDS;
  const shared = {
    startTime: now,
    duration,
    direction: message.direction,
    action: isSent ? 'Outgoing Fax' : 'Incoming Fax',
    result: resultOf(message),
    transport: 'PSTN',
    from: partyOf(message.from),
    to: partyOf(recipient ?? {}),
  };
  addCallRecord(world, {
    ...shared,
    accountId: extension.accountId,
    extensionId: extension.id,
    sessionId: String(world.nextId('fax', FIRST_FAX_SESSION)),
    telephonySessionId: `s-${world.random.bytes(12).toString('hex')}`,
    type: 'Fax',
    lastModifiedTime: now,
    messageId: message.id,
    messageType: 'Fax',
    legs: [{ ...shared, legType: isSent ? 'FaxSent' : 'Accept', extensionId: extension.id, master: true }],
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
