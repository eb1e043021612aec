import { bodyOf, done, notFound, recordOr404, rejection, type Answer, type Asked } from '../content.ts';
import { isList, isMembers, type Members, type Value } from '../shape.ts';
import { callQueue, extensionTask, feature, queueMember } from '../shapes/directory.ts';
import { change, idText, type Row, type World } from '../world.ts';

/** A query parameter that may be repeated, or contain commas. */
export function several(asked: Asked, name: string): readonly string[] {
  return asked.request.url.searchParams.getAll(name).flatMap((value) => value.split(','));
}

export function matches(row: Row, name: string, wanted: readonly string[]): boolean {
  return wanted.length === 0 || wanted.includes(idText(row.value[name]));
}

function queueOf({ parameters, world }: Asked): Row | undefined {
  const row = world.extensionBy('id', parameters['queue'] ?? '');
  return row && row.value['type'] === 'Department' ? row : undefined;
}

/** A queue with its settings. Settings that a request has changed are always served. */
function asQueue(row: Row, world: World): Row {
  const { id = 0, name = '', extensionNumber = '', status = '' } = row.value;
  const settings = world.queueSettings.get(idText(id)) ?? {};
  return world.row(callQueue, { id, name, extensionNumber, status, ...settings }, [
    ...row.pinned.filter((pin) => pin !== 'type'),
    ...Object.keys(settings),
  ]);
}

const ofDirectory = new Set(['name', 'extensionNumber', 'status']);

/** Changes name, number and status of the extension, and the settings of the queue. */
function changeQueue(row: Row, world: World, asks: Members): void {
  const key = idText(row.value['id']);
  const entries = Object.entries(asks);
  change(row, Object.fromEntries(entries.filter(([name]) => ofDirectory.has(name))));
  const settings = Object.fromEntries(entries.filter(([name]) => !ofDirectory.has(name)));
  world.queueSettings.set(key, { ...world.queueSettings.get(key), ...settings });
}

function isIn(world: World, queue: Row, member: string): boolean {
  return world.members.get(idText(queue.value['id']))?.has(member) ?? false;
}

function membersOf(row: Row, world: World): readonly Row[] {
  const ids = [...(world.members.get(idText(row.value['id'])) ?? [])];
  return ids.flatMap((id) => {
    const person = world.extensionBy('id', id);
    if (!person) return [];
    const { id: own = 0, extensionNumber = '' } = person.value;
    const pinned = person.pinned.includes('extensionNumber') ? ['extensionNumber'] : [];
    return [world.row(queueMember, { id: own, extensionNumber }, pinned)];
  });
}

const members: Answer = (asked) => {
  const queue = queueOf(asked);
  return queue ? { kind: 'list', rows: membersOf(queue, asked.world) } : notFound('departmentId');
};

function ids(value: Value | undefined): readonly string[] {
  return isList(value) ? value.map(String) : [];
}

/** Adds and removes members of one queue. */
function assign(world: World, queueId: string, change: Value): boolean {
  const set = world.members.get(queueId);
  if (!set || !isMembers(change)) return false;
  for (const id of ids(change['addedExtensionIds'])) set.add(id);
  for (const id of ids(change['removedExtensionIds'])) set.delete(id);
  return true;
}

/** Changes the members that a record names; those of the contact one by one. */
function updatePerson(world: World, item: Members): void {
  const row = world.extensionBy('id', idText(item['id']));
  if (!row) return;
  const { id: _, contact, ...rest } = item;
  const before = row.value['contact'];
  const merged = isMembers(contact) && { contact: { ...(isMembers(before) ? before : {}), ...contact } };
  change(row, { ...rest, ...merged });
}

function taskRow(world: World, records: readonly Value[], status: string): Row {
  const result = records
    .filter(isMembers)
    .map((item) => ({ extensionId: item['id'] ?? '', status: 'Success' }));
  const given = { id: `task-${world.dice.integer(1, 1e9)}`, status, result: { affectedItems: { result } } };
  const row = world.row(extensionTask, given);
  world.tasks.unshift(row);
  return row;
}

export const directory = {
  listExtensions: (asked) => ({
    kind: 'list',
    rows: asked.world.extensions.filter((row) =>
      ['type', 'status', 'extensionNumber'].every((name) => matches(row, name, several(asked, name))),
    ),
  }),
  readExtension: ({ parameters, world }) => {
    const { extension: id = '' } = parameters;
    return recordOr404(id === '~' ? world.me : world.extensionBy('id', id), 'extensionId');
  },
  updateExtensions: (asked) => {
    const { records } = bodyOf(asked);
    if (!isList(records)) return rejection(400, 'CMN-101', 'Parameter [records] value is invalid');
    for (const item of records.filter(isMembers)) updatePerson(asked.world, item);
    return {
      kind: 'record',
      row: taskRow(asked.world, records, asked.world.dice.pick(['Accepted', 'Completed'])),
    };
  },
  readExtensionTask: ({ world }) => {
    const row = world.tasks[0] ?? taskRow(world, [], 'Completed');
    row.value = { ...row.value, status: 'Completed' };
    return { kind: 'record', row };
  },
  listQueueMembers: members,
  assignInQueues: (asked) => {
    const { items } = bodyOf(asked);
    if (!isList(items)) return rejection(400, 'CMN-101', 'Parameter [items] value is invalid');
    const isDone = items.every(
      (item) => isMembers(item) && assign(asked.world, idText(item['departmentId']), item),
    );
    return isDone ? done : notFound('departmentId');
  },
  createExtension: (asked) => {
    const { type = '', name = '', extensionNumber = '' } = bodyOf(asked);
    return { kind: 'record', row: asked.world.addExtension({ type, name, extensionNumber }) };
  },
  listQueues: (asked) => {
    const { world } = asked;
    const [member] = several(asked, 'memberExtensionId');
    const rows = world.extensions
      .filter((row) => matches(row, 'type', ['Department']))
      .filter((row) => member === undefined || isIn(world, row, member))
      .map((row) => asQueue(row, world));
    return { kind: 'list', rows };
  },
  readQueue: (asked) => {
    const queue = queueOf(asked);
    return recordOr404(queue && asQueue(queue, asked.world), 'groupId');
  },
  updateQueue: (asked) => {
    const queue = queueOf(asked);
    if (queue) changeQueue(queue, asked.world, bodyOf(asked));
    return recordOr404(queue && asQueue(queue, asked.world), 'groupId');
  },
  assignInQueue: (asked) =>
    assign(asked.world, asked.parameters['queue'] ?? '', bodyOf(asked)) ? done : notFound('groupId'),
  updateQueuesOfPerson: ({ world }) => ({
    kind: 'list',
    rows: world.extensions.slice(4).map((row) => asQueue(row, world)),
  }),
  readFeatures: ({ world }) => ({
    kind: 'list',
    rows: [world.row(feature, { id: 'NewCallHandlingAndForwarding', available: false })],
  }),
  listPhoneNumbers: ({ world }) => ({ kind: 'list', rows: world.phoneNumbers }),
  listForwardingNumbers: ({ world }) => ({ kind: 'list', rows: world.forwardingNumbers }),
} satisfies Readonly<Record<string, Answer>>;
