import type { Presence } from '../../contract/presence.ts';
import { recordOrList, resource, textOf } from '../../runtime/output-schema.ts';
import type { View } from '../../runtime/output.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';

/** A presence; in a list, the row also has the name of the extension. */
export type PresenceRow = RowOf<typeof presenceRows>;

export const presenceRows = rows(
  { of: 'Presence', empty: 'No agents in this queue.' },
  {
    extensionId: {
      title: 'ID',
      kind: 'id',
      priority: 1,
      cell: (row) => row.extension.id,
      record: { title: 'Extension ID' },
    },
    number: { title: 'NUMBER', priority: 7, cell: (row) => row.extension.extensionNumber },
    name: { schema: textOf<string | undefined>(), title: 'NAME', priority: 8, apartBy: 'number', in: 'list' },
    presenceStatus: { title: 'PRESENCE', kind: 'status', priority: 6 },
    userStatus: { title: 'USER STATUS', kind: 'status', in: 'record' },
    telephonyStatus: { title: 'TELEPHONE', kind: 'status', priority: 4 },
    meetingStatus: { title: 'MEETING', in: 'record' },
    dndStatus: { title: 'CALLS TAKEN', priority: 5, record: { kind: 'status' } },
    message: { title: 'MESSAGE', priority: 3, folds: 2 },
    allowSeeMyPresence: { title: 'VISIBLE TO OTHERS', in: 'record' },
    ringOnMonitoredCall: { title: 'RINGS ON MONITORED CALL', in: 'record' },
    pickUpCallsOnHold: { title: 'PICKS UP CALLS ON HOLD', in: 'record' },
    activeCalls: { title: 'CALLS', cell: callsOf, in: 'record' },
    dndStatusPersonal: { title: 'OWN CALLS TAKEN', in: 'record' },
    acceptCallQueueCalls: { title: 'ACCEPTS QUEUE CALLS', in: 'record' },
    callerIdVisibility: { title: 'CALLER ID VISIBLE TO', in: 'record' },
  },
);

/** The columns of one presence. `name` heads the record on a terminal, because the service returns only the number. */
export function presenceRecordView(name: string | undefined): View<Presence> {
  const { columns } = presenceRows.record;
  return name === undefined
    ? { columns }
    : { columns: [{ key: 'name', title: 'NAME', value: () => name }, ...columns] };
}

/** One presence as the service returns it, or a list with names. */
export const presenceOutput = recordOrList(resource('Presence'), presenceRows);

function callsOf(row: Presence): string | undefined {
  return row.activeCalls
    ?.map(({ direction, telephonyStatus, from = '?', to = '?' }) =>
      [direction, telephonyStatus, from, 'to', to].filter((word) => word !== undefined).join(' '),
    )
    .join('; ');
}
