import type { Message, Party } from '../../contract/message.ts';
import type { Column, View } from '../../runtime/output.ts';
import { statusWords } from './words.ts';

const id: Column<Message> = { key: 'id', title: 'ID', kind: 'id', value: (row) => row.id, priority: 9 };
const created: Column<Message> = {
  key: 'creationTime',
  title: 'CREATED',
  kind: 'time',
  value: (row) => row.creationTime,
  priority: 6,
};
const status: Column<Message> = {
  key: 'messageStatus',
  title: 'STATUS',
  kind: 'status',
  value: (row) => row.messageStatus,
  priority: 5,
};
const from: Column<Message> = {
  key: 'from',
  title: 'FROM',
  kind: 'phone',
  value: (row) => nameOf(row.from),
  priority: 8,
};
const to: Column<Message> = {
  key: 'to',
  title: 'TO',
  kind: 'phone',
  value: (row) => row.to.map(nameOf).join(', '),
  priority: 6,
};
const read: Column<Message> = {
  key: 'readStatus',
  title: 'READ',
  kind: 'status',
  value: (row) => row.readStatus,
  priority: 3,
};
const text: Column<Message> = { key: 'text', title: 'TEXT', value: (row) => row.subject, priority: 8 };
const direction: Column<Message> = {
  key: 'direction',
  title: 'DIRECTION',
  value: (row) => row.direction,
  priority: 2,
};

/** Messages of any type. */
export const messageView: View<Message> = {
  columns: [
    id,
    { key: 'type', title: 'TYPE', value: (row) => row.type, priority: 5 },
    direction,
    status,
    read,
    { key: 'availability', title: 'AVAILABILITY', value: (row) => row.availability, priority: 1 },
    from,
    to,
    created,
    text,
    {
      key: 'attachments',
      title: 'FILES',
      kind: 'number',
      value: (row) => row.attachments.length,
      priority: 1,
    },
  ],
  empty: 'No messages; --since looks further back than a day.',
};

/** Texts and pages. */
export const textView: View<Message> = {
  columns: [id, status, direction, from, to, created, text],
  empty: 'No texts; --since looks further back than a day.',
};

/** Faxes. */
export const faxView: View<Message> = {
  columns: [
    id,
    status,
    direction,
    from,
    to,
    { key: 'faxPageCount', title: 'PAGES', kind: 'number', value: (row) => row.faxPageCount, priority: 5 },
    { key: 'faxResolution', title: 'RESOLUTION', value: (row) => row.faxResolution, priority: 1 },
    created,
    { key: 'explanation', title: 'EXPLANATION', value: statusWords, priority: 4 },
  ],
  empty: 'No faxes; --since looks further back than a day.',
};

/** Voicemails. */
export const voicemailView: View<Message> = {
  columns: [
    id,
    read,
    from,
    {
      key: 'seconds',
      title: 'SECONDS',
      kind: 'number',
      value: (row) => row.attachments.find(({ vmDuration }) => vmDuration !== undefined)?.vmDuration,
      priority: 5,
    },
    created,
    { key: 'transcription', title: 'TRANSCRIPTION', value: (row) => row.vmTranscriptionStatus, priority: 1 },
  ],
  empty: 'No voicemails; --since looks further back than a day.',
};

function nameOf(party: Party): string {
  return party.phoneNumber ?? party.extensionNumber ?? party.name ?? '';
}
