import { bodyOf, notFound, recordOr404, type Answer, type Asked, type Content } from '../content.ts';
import { isList, isMembers, type Members, type Value } from '../shape.ts';
import { personQueuePresence, queuePresence } from '../shapes/presence.ts';
import { change, idText, type Row, type World } from '../world.ts';

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

/** Whether an agent accepts the calls of a queue. A state that a request has changed is always served. */
function acceptanceOf(
  world: World,
  queue: string,
  agent: string,
): { readonly accepts: boolean; readonly isChanged: boolean } {
  const known = world.acceptance.get(`${queue}/${agent}`);
  return { accepts: known ?? true, isChanged: known !== undefined };
}

function queueRows({ parameters, world }: Asked): readonly Row[] | undefined {
  const { queue = '' } = parameters;
  const members = world.members.get(queue);
  return (
    members &&
    [...members].map((agent) => {
      const { accepts, isChanged } = acceptanceOf(world, queue, agent);
      const { id = 0, name = '' } = world.extensionBy('id', agent)?.value ?? {};
      const given = { member: { id, name }, acceptCurrentQueueCalls: accepts };
      return world.row(queuePresence, given, isChanged ? Object.keys(given) : ['member']);
    })
  );
}

function personRows({ parameters, world }: Asked): readonly Row[] | undefined {
  const asked = parameters['extension'] ?? '';
  const agent = asked === '~' ? idText(world.me.value['id']) : asked;
  if (!world.extensionBy('id', agent)) return undefined;
  const own = [...world.members].filter(([, agents]) => agents.has(agent));
  return own.map(([queue]) => {
    const { accepts, isChanged } = acceptanceOf(world, queue, agent);
    const { id = 0, name = '', extensionNumber = '' } = world.extensionBy('id', queue)?.value ?? {};
    const given = { callQueue: { id, name, extensionNumber }, acceptCalls: accepts };
    return world.row(personQueuePresence, given, isChanged ? Object.keys(given) : ['callQueue']);
  });
}

const inQueues: Answer = (asked) => listOr404(queueRows(asked), 'groupId');
const ofPerson: Answer = (asked) => listOr404(personRows(asked), 'extensionId');

function listOr404(rows: readonly Row[] | undefined, what: string): Content {
  return rows ? { kind: 'list', rows } : notFound(what);
}

/** Stores the acceptance that each record of a body requests. */
function accept(asked: Asked, keyOf: (record: Members) => string | undefined, name: string): void {
  const { records } = bodyOf(asked);
  for (const record of isList(records) ? records : []) {
    if (!isMembers(record)) continue;
    const key = keyOf(record);
    const accepts = record[name];
    if (key !== undefined && typeof accepts === 'boolean') asked.world.acceptance.set(key, accepts);
  }
}

function idIn(value: Value | undefined): string | undefined {
  return isMembers(value) && value['id'] !== undefined ? idText(value['id']) : undefined;
}

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
  updateQueuePresence: (asked) => {
    const { queue = '' } = asked.parameters;
    accept(asked, ({ member }) => `${queue}/${idIn(member)}`, 'acceptCurrentQueueCalls');
    return inQueues(asked);
  },
  readQueuePresenceOfPerson: ofPerson,
  updateQueuePresenceOfPerson: (asked) => {
    const { extension = '' } = asked.parameters;
    accept(asked, ({ callQueue }) => `${idIn(callQueue)}/${extension}`, 'acceptCalls');
    return ofPerson(asked);
  },
} satisfies Readonly<Record<string, Answer>>;
