import type { ExtensionUpdate } from '../../contract/extension-bulk-update.ts';
import { accountOf, extensionOf, type Handler } from '../request/call.ts';
import { notFound, ServiceError } from '../request/errors.ts';
import { accountPath, addressOf } from '../request/uris.ts';
import type { TimerHandlers, World } from '../world/world.ts';
import { toExtension } from './extension-routes.ts';
import type { TaskRow } from './task-store.ts';
import { updateExtension } from './update-extension.ts';

/** Time after which a task starts, and after which it ends (docs/internals/service-gaps.md). */
const startMilliseconds = 500;
const endMilliseconds = 1000;

/** Serves PUT account/{accountId}/extension/{extensionId}: changes the members in the request (EXT-14). */
export const changeExtension: Handler<'updateExtension'> = (call) => {
  const { world, caller, body } = call;
  const { id } = extensionOf(call);
  updateExtension(world, caller.extension, { ...body, id: String(id) });
  const changed = world.extensions.byId(id);
  if (!changed) throw new Error('the changed extension is missing');
  return { json: toExtension(world, changed) };
};

/** Serves POST account/{accountId}/extension-bulk-update: creates a task, which timers run. */
export const updateExtensions: Handler<'updateExtensions'> = (call) => {
  const { world, body } = call;
  const now = world.clock.now();
  const task: TaskRow = {
    id: world.random.uuid(),
    accountId: accountOf(call).id,
    extensionId: call.caller.extension.id,
    status: 'Accepted',
    createdAt: now,
    changedAt: now,
    records: JSON.stringify(body.records),
    results: '[]',
  };
  world.tasks.save(task);
  world.timers.set('extensions.start', task.id, now + startMilliseconds);
  return { json: toTask(world, task) };
};

/** Serves GET account/{accountId}/extension-bulk-update/tasks/{taskId}. */
export const readExtensionUpdateTask: Handler<'readExtensionUpdateTask'> = (call) => {
  const task = call.world.tasks.byId(call.params['taskId'] ?? '');
  if (task?.accountId !== accountOf(call).id) throw notFound('taskId');
  return { json: toTask(call.world, task) };
};

interface Result {
  readonly extensionId: string;
  readonly status: 'Success' | 'Fail';
  readonly errors?: readonly object[];
}

/** Timer handlers of the tasks that change extensions. */
export const extensionTimers: TimerHandlers = {
  'extensions.start': (world, id) => {
    const task = world.tasks.byId(id);
    if (!task) return;
    const now = world.clock.now();
    world.tasks.save({ ...task, status: 'InProgress', changedAt: now });
    world.timers.set('extensions.end', id, now + endMilliseconds);
  },
  'extensions.end': (world, id) => {
    const task = world.tasks.byId(id);
    const by = world.extensions.byId(task?.extensionId ?? 0);
    if (!task || !by) return;
    const records = JSON.parse(task.records) as readonly ExtensionUpdate[];
    const results = records.map((record) => resultOf(record, () => updateExtension(world, by, record)));
    const changedAt = world.clock.now();
    world.tasks.save({ ...task, status: 'Completed', changedAt, results: JSON.stringify(results) });
  },
};

/** Applies one change; a rejection concerns only this change. */
function resultOf({ id }: ExtensionUpdate, apply: () => void): Result {
  try {
    apply();
    return { extensionId: id, status: 'Success' };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { extensionId: id, status: 'Fail', errors: [...(error.body.errors ?? [])] };
  }
}

function toTask(world: World, task: TaskRow) {
  const path = `${accountPath(task.accountId)}/extension-bulk-update/tasks/${task.id}`;
  return {
    uri: addressOf(world, path),
    id: task.id,
    status: task.status,
    creationTime: world.clock.iso(task.createdAt),
    lastModifiedTime: world.clock.iso(task.changedAt),
    ...(task.status === 'Completed' && {
      result: { affectedItems: { result: JSON.parse(task.results) as unknown } },
    }),
  };
}
