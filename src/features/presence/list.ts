import { dndStatuses, userStatuses } from '../../contract/enums.ts';
import type { PresenceUpdate } from '../../contract/presence.ts';
import {
  headingGroups,
  isHeading,
  readTable,
  unreadColumns,
  unreadText,
  type ListContent,
  type ListProblem,
  type Place,
  type RunInput,
  type TableField,
  type TableRow,
} from '../bulk/index.ts';
import { givenFields, requestProblem, type PresenceRequest } from './update.ts';

type Field =
  | 'extension'
  | 'userStatus'
  | 'dndStatus'
  | 'queueCalls'
  | 'message'
  | 'allowSeeMyPresence'
  | 'ringOnMonitoredCall'
  | 'pickUpCallsOnHold';

const flags = ['allowSeeMyPresence', 'ringOnMonitoredCall', 'pickUpCallsOnHold'] as const;
const optional = (name: Field, otherHeadings: readonly string[] = []): TableField<Field> => ({
  name,
  headings: [[name.toLowerCase(), ...otherHeadings]],
  column: 'optional',
  cell: 'optional',
  freeText: name === 'message',
});
const fields: readonly TableField<Field>[] = [
  {
    name: 'extension',
    headings: headingGroups.extension,
    column: 'required',
    cell: 'required',
    alias: 'agent',
  },
  optional('userStatus'),
  optional('dndStatus', ['dnd']),
  optional('queueCalls'),
  optional('message'),
  ...flags.map((name) => optional(name)),
];

/** Headings of columns that describe the person, which need no warning. */
const personHeadings: readonly string[] = [...headingGroups.extension.flat(), 'name'];

/** The request of one row of a list. */
export interface ListedRequest extends PresenceRequest {
  readonly extension: string;
  readonly place: Place;
  readonly row: number;
}

export interface PresenceList {
  /** The requests of the readable rows. */
  readonly requests: readonly ListedRequest[];
  readonly input: RunInput;
  readonly problems: readonly ListProblem[];
  /** Texts about columns that no field reads. */
  readonly warnings: readonly string[];
}

/** Reads a list of extensions with a column for each field to change. An empty cell leaves the field unchanged. */
export function readPresenceList(
  content: ListContent,
  file: string,
  map: ReadonlyMap<string, string>,
): PresenceList {
  const table = readTable<Field>(content, file, { fields, map, check: checkRow });
  const indexes = new Map(table.rows.map((row, index) => [row, index]));
  const names = fields.map(({ name }) => name);
  const unread = unreadColumns(table.headings, fields, map).filter(
    (heading) => !isHeading(heading, personHeadings),
  );
  return {
    requests: table.readable.map((row) => ({
      ...requestOf(row),
      extension: row.value('extension'),
      place: row.place,
      row: indexes.get(row) ?? 0,
    })),
    input: table.input,
    problems: table.problems,
    warnings: unread.map(
      (heading) => `${file}: ${unreadText(heading, 'a presence field', names)}; ucctl ignores the column`,
    ),
  };
}

function checkRow(row: TableRow<Field>): readonly (readonly [Field, string])[] {
  const problems: (readonly [Field, string])[] = [];
  const choice = (field: Field, choices: readonly string[]): void => {
    const value = row.value(field);
    if (value !== '' && !choices.some((one) => one.toLowerCase() === value.toLowerCase())) {
      problems.push([field, `"${value}" is not a valid value; use one of ${choices.join(', ')}`]);
    }
  };
  choice('userStatus', userStatuses);
  choice('dndStatus', dndStatuses);
  choice('queueCalls', ['on', 'off']);
  for (const flag of flags) choice(flag, ['true', 'false', 'yes', 'no']);
  const problem = requestProblem(requestOf(row));
  if (problem !== undefined)
    problems.push([row.value('queueCalls') === '' ? 'message' : 'queueCalls', problem]);
  return problems;
}

function requestOf(row: TableRow<Field>): PresenceRequest {
  const pick = <V extends string>(field: Field, choices: readonly V[]): V | undefined =>
    choices.find((one) => one.toLowerCase() === row.value(field).toLowerCase());
  const flag = (field: Field): boolean | undefined => {
    const word = row.value(field).toLowerCase();
    return word === '' ? undefined : ['true', 'yes'].includes(word);
  };
  const message = row.value('message');
  const update: { [K in keyof PresenceUpdate]: PresenceUpdate[K] | undefined } = {
    userStatus: pick('userStatus', userStatuses),
    dndStatus: pick('dndStatus', dndStatuses),
    message: message === '' ? undefined : message,
    allowSeeMyPresence: flag('allowSeeMyPresence'),
    ringOnMonitoredCall: flag('ringOnMonitoredCall'),
    pickUpCallsOnHold: flag('pickUpCallsOnHold'),
  };
  return {
    fields: givenFields(update),
    queueCalls: pick('queueCalls', ['on', 'off'] as const),
  };
}
