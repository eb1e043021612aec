import type { CallLogRecord, CallParty } from '../../contract/call-log.ts';
import type { View } from '../../runtime/output.ts';

/** Number and name of one side: `+14155550101 (Jo)`, `201 Support`. */
export function partyText(party: CallParty | undefined): string {
  if (!party) return '';
  const { phoneNumber, extensionNumber, name, location } = party;
  if (phoneNumber !== undefined) {
    const who = name ?? location;
    return who === undefined ? phoneNumber : `${phoneNumber} (${who})`;
  }
  return [extensionNumber, name].filter((part) => part !== undefined).join(' ');
}

/** `1:02:03`, `3:12`. */
export function clockText(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** A whole number, and the beginning of a name. */
const sideWidth = 16;

export const callView: View<CallLogRecord> = {
  columns: [
    { key: 'startTime', title: 'STARTED', kind: 'time', value: (row) => row.startTime, priority: 9 },
    { key: 'direction', title: 'DIRECTION', kind: 'text', value: (row) => row.direction, priority: 7 },
    { key: 'type', title: 'TYPE', kind: 'text', value: (row) => row.type, priority: 2 },
    {
      key: 'from',
      title: 'FROM',
      kind: 'text',
      value: (row) => partyText(row.from),
      priority: 6,
      least: sideWidth,
    },
    {
      key: 'to',
      title: 'TO',
      kind: 'text',
      value: (row) => partyText(row.to),
      priority: 5,
      least: sideWidth,
    },
    { key: 'result', title: 'RESULT', kind: 'status', value: (row) => row.result, priority: 8 },
    { key: 'duration', title: 'SECONDS', kind: 'number', value: (row) => row.duration, priority: 4 },
    { key: 'recording', title: 'RECORDING', kind: 'id', value: (row) => row.recording?.id, priority: 1 },
    { key: 'sessionId', title: 'SESSION', kind: 'id', value: (row) => row.sessionId, priority: 3 },
    { key: 'id', title: 'ID', kind: 'id', value: (row) => row.id, priority: 0 },
  ],
  empty: 'No calls.',
};
