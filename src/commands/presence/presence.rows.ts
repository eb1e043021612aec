import type { Presence } from '../../contract/presence.ts';
import { recordOrList, resource, textOf } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';

/** A presence; in a list, with the name of its extension. */
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
    name: { schema: textOf<string | undefined>(), title: 'NAME', priority: 8, in: 'list' },
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
  },
);

/** One presence as the service returns it, or a list with names. */
export const presenceOutput = recordOrList(resource('Presence'), presenceRows);

function callsOf(row: Presence): string | undefined {
  return row.activeCalls
    ?.map((call) => `${call.direction} ${call.telephonyStatus} ${call.from ?? '?'} to ${call.to ?? '?'}`)
    .join('; ');
}
