import type { Message, Party } from '../../contract/message.ts';
import type { View } from '../../runtime/output.ts';

export const messageView: View<Message> = {
  columns: [
    { key: 'id', title: 'Id', kind: 'id', value: (row) => row.id },
    { key: 'messageStatus', title: 'Status', kind: 'status', value: (row) => row.messageStatus },
    { key: 'from', title: 'From', kind: 'phone', value: (row) => nameOf(row.from) },
    { key: 'to', title: 'To', kind: 'phone', value: (row) => row.to.map(nameOf).join(', ') },
    { key: 'creationTime', title: 'Created', kind: 'time', value: (row) => row.creationTime },
    { key: 'text', title: 'Text', kind: 'text', value: (row) => row.subject },
  ],
};

function nameOf(party: Party): string {
  return party.phoneNumber ?? party.extensionNumber ?? party.name ?? '';
}
