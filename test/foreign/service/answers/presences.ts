import { bodyOf, recordOr404, type Answer, type Asked } from '../content.ts';
import { personQueuePresence, queuePresence } from '../shapes/presence.ts';
import { change, idText, type Row } from '../world.ts';

const settable = new Set([
  'userStatus',
  'dndStatus',
  'message',
  'allowSeeMyPresence',
  'ringOnMonitoredCall',
  'pickUpCallsOnHold',
]);

function rowOf({ parameters, world }: Asked): Row | undefined {
  return world.presenceOf(parameters['extension'] ?? '');
}

const inQueues: Answer = ({ world }) => ({
  kind: 'list',
  rows: world.extensions
    .slice(0, 2)
    .map(({ value: { id = 0, name = '' } }) =>
      world.row(queuePresence, { member: { id, name }, acceptCurrentQueueCalls: true }),
    ),
});
const ofPerson: Answer = ({ world }) => ({
  kind: 'list',
  rows: world.extensions
    .slice(4)
    .map(({ value: { id = 0, name = '' } }) =>
      world.row(personQueuePresence, { callQueue: { id, name }, acceptCalls: true }),
    ),
});

export const presences = {
  readPresence: ({ parameters, world }) => ({
    kind: 'several',
    parts: (parameters['extension'] ?? '').split(',').map((id) => ({ id, row: world.presenceOf(id) })),
  }),
  updatePresence: (asked) => {
    const row = rowOf(asked);
    const asks = Object.entries(bodyOf(asked)).filter(([name]) => settable.has(name));
    if (row) change(row, Object.fromEntries(asks));
    return recordOr404(row, 'extensionId');
  },
  listPresences: ({ world }) => ({
    kind: 'list',
    rows: world.extensions.flatMap(({ value }) => world.presenceOf(idText(value['id'])) ?? []),
  }),
  readQueuePresence: inQueues,
  updateQueuePresence: inQueues,
  readQueuePresenceOfPerson: ofPerson,
  updateQueuePresenceOfPerson: ofPerson,
} satisfies Readonly<Record<string, Answer>>;
