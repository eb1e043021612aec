import { isolateRuns } from '../../platform/isolate.ts';
import { parseJson } from '../../platform/json.ts';
import { phoneNumberText } from '../../platform/phone-number-text.ts';
import { withNumber } from '../../runtime/with-number.ts';
import type { ExportMedia, ExportRow } from '../../store/export-row.ts';
import type { CopiedAttachment, CopiedMessage } from './types.ts';

/** The members of a record of the service that describe its attachments. */
interface RawRecord {
  readonly attachments?: readonly {
    readonly type?: string;
    readonly contentType?: string;
    readonly vmDuration?: number;
  }[];
}

/** The mailbox of a thread. */
interface ThreadMailbox {
  /** Number or ID of the mailbox, as the page names it. */
  readonly mailbox: string;
  /** Whether it is the mailbox of the signed-in user. */
  readonly isOwn: boolean;
}

/** Converts a copied message for the page. `media` are its copied attachments. */
export function toCopiedMessage(
  row: ExportRow,
  media: readonly ExportMedia[],
  { mailbox, isOwn }: ThreadMailbox,
): CopiedMessage {
  return {
    id: row.id,
    type: row.type,
    direction: row.direction,
    time: row.creationTime,
    status: row.messageStatus,
    isUnread: row.readStatus === 'Unread',
    isDeleted: row.availability !== 'Alive',
    isOwn: isOwn && row.direction === 'Outbound',
    from: senderOf(row),
    to: (row.toNames ?? '').trim() || (row.toNumbers ?? '').trim(),
    text: row.text,
    attachments: attachmentsOf(row, media, mailbox),
  };
}

/** Returns the attachments other than the text itself. Attachments that are not copied have no path. */
function attachmentsOf(
  row: ExportRow,
  media: readonly ExportMedia[],
  mailbox: string,
): readonly CopiedAttachment[] {
  const described = (parseJson(row.raw) as RawRecord).attachments ?? [];
  const seconds = described.find(({ vmDuration }) => vmDuration !== undefined)?.vmDuration;
  const path = `/api/conversations/${encodeURIComponent(mailbox)}/${encodeURIComponent(row.id)}/content`;
  const copied = media.filter(({ contentType }) => !isText(row, contentType));
  if (copied.length > 0) {
    return copied.map(({ sha256, contentType, fileName }) => ({
      contentType: contentType ?? 'application/octet-stream',
      fileName,
      path: `${path}/${sha256}`,
      seconds,
    }));
  }
  return described
    .filter(({ type, contentType }) => type !== 'Text' && !isText(row, contentType ?? null))
    .map(({ contentType }) => ({
      contentType: contentType ?? 'application/octet-stream',
      fileName: null,
      path: undefined,
      seconds,
    }));
}

/** Whether an attachment is the text of a text message, or the transcription of a voicemail. */
function isText({ type }: ExportRow, contentType: string | null): boolean {
  return type !== 'Fax' && (contentType ?? '').startsWith('text/plain');
}

function senderOf({ fromName, fromNumber, fromExtension }: ExportRow): string {
  return fromName ?? fromNumber ?? fromExtension ?? 'unknown';
}

/** Returns name and number of the other party of a conversation. */
export function titleOf(rows: readonly ExportRow[]): string {
  const inbound = rows.find(({ direction }) => direction === 'Inbound');
  const [first] = rows;
  const party = inbound
    ? partyOf(inbound.fromName, inbound.fromNumber ?? inbound.fromExtension)
    : partyOf(first?.toNames, first?.toNumbers);
  return party || 'unknown';
}

/** Returns name and number of a party, or the names or else the numbers of several ones. */
export function partyOf(storedNames: string | null = '', storedNumbers: string | null = ''): string {
  const [names = '', numbers = ''] = [storedNames?.trim(), storedNumbers?.trim()];
  if (names === numbers || /\s/.test(numbers)) return isolateRuns(names || numbers);
  return isolateRuns(withNumber(names, phoneNumberText(numbers)));
}
