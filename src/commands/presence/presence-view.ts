import type { Presence } from '../../contract/presence.ts';
import type { View } from '../../runtime/output.ts';

export const presenceView: View<Presence> = {
  columns: [
    { key: 'extensionId', title: 'Extension id', kind: 'id', value: (row) => row.extension.id },
    { key: 'number', title: 'Number', kind: 'text', value: (row) => row.extension.extensionNumber },
    { key: 'presenceStatus', title: 'Presence', kind: 'status', value: (row) => row.presenceStatus },
    { key: 'userStatus', title: 'User status', kind: 'status', value: (row) => row.userStatus },
    { key: 'telephonyStatus', title: 'Telephone', kind: 'status', value: (row) => row.telephonyStatus },
    { key: 'meetingStatus', title: 'Meeting', kind: 'text', value: (row) => row.meetingStatus },
    { key: 'dndStatus', title: 'Calls taken', kind: 'status', value: (row) => row.dndStatus },
    { key: 'message', title: 'Message', kind: 'text', value: (row) => row.message },
    {
      key: 'allowSeeMyPresence',
      title: 'Others may see it',
      kind: 'text',
      value: (row) => row.allowSeeMyPresence,
    },
    {
      key: 'ringOnMonitoredCall',
      title: 'Rings on monitored call',
      kind: 'text',
      value: (row) => row.ringOnMonitoredCall,
    },
    {
      key: 'pickUpCallsOnHold',
      title: 'Picks up calls on hold',
      kind: 'text',
      value: (row) => row.pickUpCallsOnHold,
    },
    { key: 'activeCalls', title: 'Calls', kind: 'text', value: callsOf },
  ],
};

function callsOf(row: Presence): string | undefined {
  return row.activeCalls
    ?.map((call) => `${call.direction} ${call.telephonyStatus} ${call.from ?? '?'} to ${call.to ?? '?'}`)
    .join('; ');
}

/** A presence in a list, with whose it is. */
export interface PresenceRow extends Presence {
  readonly name: string | undefined;
}

export const presenceRowView: View<PresenceRow> = {
  columns: [
    { key: 'extensionId', title: 'ID', kind: 'id', value: (row) => row.extension.id, priority: 1 },
    { key: 'number', title: 'NUMBER', value: (row) => row.extension.extensionNumber, priority: 7 },
    { key: 'name', title: 'NAME', value: (row) => row.name, priority: 8 },
    {
      key: 'presenceStatus',
      title: 'PRESENCE',
      kind: 'status',
      value: (row) => row.presenceStatus,
      priority: 6,
    },
    {
      key: 'telephonyStatus',
      title: 'TELEPHONE',
      kind: 'status',
      value: (row) => row.telephonyStatus,
      priority: 4,
    },
    { key: 'dndStatus', title: 'CALLS TAKEN', value: (row) => row.dndStatus, priority: 5 },
    { key: 'message', title: 'MESSAGE', value: (row) => row.message, priority: 2 },
  ],
  empty: 'No agents in this queue.',
};
