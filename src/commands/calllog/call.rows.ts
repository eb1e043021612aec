import type { CallLogRecord, CallParty } from '../../contract/call-log.ts';
import { rows } from '../../runtime/rows.ts';

/** Returns one side of a call: `Dana Okafor (102)` for an extension, otherwise `+14155550101 (Jo)`. */
export function partyText(party: CallParty | undefined): string {
  if (!party) return '';
  const { phoneNumber, extensionNumber, name, location } = party;
  if (extensionNumber !== undefined && name !== undefined) return `${name} (${extensionNumber})`;
  const who = name ?? location;
  if (phoneNumber === undefined) return extensionNumber ?? who ?? '';
  return who === undefined ? phoneNumber : `${phoneNumber} (${who})`;
}

/** Returns the number and name of one side, for programs: `+14155550101 (Jo)`, `201 Support`. */
function numberText(party: CallParty | undefined): string {
  if (!party) return '';
  const { phoneNumber, extensionNumber, name, location } = party;
  if (phoneNumber === undefined)
    return [extensionNumber, name].filter((part) => part !== undefined).join(' ');
  const who = name ?? location;
  return who === undefined ? phoneNumber : `${phoneNumber} (${who})`;
}

/** Returns the called party, and the party who answered instead: `Support → Dana Okafor (102)`. */
function calledText({ to, takenBy }: CallLogRecord & { readonly takenBy?: CallParty }): string {
  return takenBy ? `${to?.name ?? partyText(to)} → ${partyText(takenBy)}` : partyText(to);
}

/** Formats a duration, such as `1:02:03` or `3:12`. */
export function clockText(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Minimum column width, which has room for a phone number. */
const sideWidth = 15;

export const callRows = rows(
  { of: 'CallLogRecord', empty: 'No calls.' },
  {
    startTime: { title: 'TIME', kind: 'time', priority: 8 },
    direction: { title: 'DIRECTION', priority: 4 },
    type: { title: 'TYPE', priority: 8 },
    from: {
      title: 'FROM',
      kind: 'phone',
      priority: 9,
      least: sideWidth,
      folds: 2,
      cell: (row) => numberText(row.from),
      shown: (row) => partyText(row.from),
    },
    to: {
      title: 'TO',
      kind: 'phone',
      priority: 6,
      least: sideWidth,
      folds: 2,
      below: '→ ',
      cell: (row) => numberText(row.to),
      shown: calledText,
    },
    result: { title: 'RESULT', kind: 'status', priority: 7, below: '' },
    duration: { title: 'SECONDS', kind: 'number', priority: 3 },
    recording: { title: 'RECORDING', kind: 'id', priority: 1, cell: (row) => row.recording?.id },
    sessionId: { title: 'SESSION', kind: 'id', priority: 4 },
    id: { title: 'ID', kind: 'id', priority: 0 },
  },
);
