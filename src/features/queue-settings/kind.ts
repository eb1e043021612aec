import type { Client, RequestOptions } from '../../client/index.ts';
import type { CallQueueInfo, CallQueueUpdate } from '../../contract/call-queue.ts';
import type { Context } from '../../runtime/context.ts';
import { ucctl } from '../../errors/hint.ts';
import { isMissingResource } from '../../errors/service-codes.ts';
import { classifyError, progressText, receiptOfError, type Receipt } from '../bulk/index.ts';
import {
  isAsDesired,
  partlyCreated,
  whoChanged,
  type ChangeReceipt,
  type PresentResource,
  type ResourceChange,
  type ResourceKind,
  type ResourceRef,
  type Values,
} from '../resource-plan/index.ts';
import { updateOf, valuesOf } from './values.ts';

/** The kind of run that changes settings of queues. */
export const queueSettingsKind = 'queue.settings';

/** Returns the key of a queue that does not exist yet: its extension number, which is unique in the account. */
export function newQueueKey(number: string): string {
  return `number ${number}`;
}

/** Settings of call queues, only in dialect `current`. */
export function queueSettings(
  ctx: Pick<Context, 'out' | 'signal' | 'settings' | 'now'>,
  api: Pick<Client, 'callQueues' | 'extensions' | 'auditTrail'>,
): ResourceKind {
  return {
    run: queueSettingsKind,
    noun: 'queue',
    what: 'change of queue settings',
    label: 'changing queues',
    resume: ucctl('queue apply --resume'),
    maxItems: 1,
    unique: ['number'],
    // No request of the service removes the value of a setting.
    canRemove: () => false,
    groups: {
      read: 'Light',
      readItems: 1,
      update: 'Light',
      // Searches for the number before the creation, and again when the queue is read back.
      creation: ({ after }) => ({ Medium: 3, Light: hasMore(partsOf(after).more) ? 2 : 1 }),
    },
    read: (refs, signal) => readQueues(api, refs, signal),
    send: ([change]) => (change ? sendChange(api, change) : Promise.resolve({})),
    undoCreation: { status: 'Disabled' },
    // Another user may have created a queue with this number.
    isPartlyCreated: ({ after }, { values }) => isAsDesired(values['name'], after['name']),
    creationNote:
      'The service cannot delete a new queue. If you undo this run, ucctl disables the queue instead.',
    whoChanged: (refs) =>
      whoChanged(
        ctx,
        api,
        refs.map(({ key }) => key),
      ),
  };
}

async function readQueues(
  api: Pick<Client, 'callQueues' | 'extensions'>,
  refs: readonly ResourceRef[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, PresentResource>> {
  const found = new Map<string, PresentResource>();
  const byKey = await queuesByKey(
    api,
    refs.flatMap(({ id, key }) => (id === null ? [key] : [])),
    signal,
  );
  for (const { id, key } of refs) {
    const known = id ?? byKey.get(key)?.id;
    if (known === undefined) continue;
    const info = await readQueue(api, known, signal);
    if (info) found.set(key, { id: info.id, values: valuesOf(info) });
  }
  return found;
}

/** Returns a queue with its settings; undefined if it does not exist. */
async function readQueue(
  api: Pick<Client, 'callQueues'>,
  id: string,
  signal?: AbortSignal,
): Promise<CallQueueInfo | undefined> {
  try {
    return await api.callQueues.get(id, { signal });
  } catch (error) {
    if (isMissingResource(error)) return undefined;
    throw error;
  }
}

/** A queue that has the extension number of a new queue. */
interface NumberHolder {
  readonly id: string;
  readonly name: string | undefined;
}

/** Returns the queues with these keys. One queue is found by its number; for several, all queues are listed. */
async function queuesByKey(
  api: Pick<Client, 'callQueues' | 'extensions'>,
  keys: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, NumberHolder>> {
  const found = new Map<string, NumberHolder>();
  const [only] = keys;
  if (only === undefined) return found;
  const queues =
    keys.length > 1
      ? api.callQueues.list({}, { signal })
      : api.extensions.list(
          { extensionNumber: only.slice(newQueueKey('').length), type: ['Department'] },
          { signal },
        );
  for await (const { id, extensionNumber, name } of queues) {
    if (extensionNumber !== undefined) found.set(newQueueKey(extensionNumber), { id: String(id), name });
  }
  return found;
}

/** Divides the settings of a new queue: those of the request that creates it, and those of a second request. */
function partsOf(after: Values): {
  readonly first: Pick<CallQueueUpdate, 'name' | 'extensionNumber' | 'status'>;
  readonly more: CallQueueUpdate;
} {
  const { name, extensionNumber, status, ...more } = updateOf(after);
  return { first: { name, extensionNumber, status }, more };
}

function hasMore(more: CallQueueUpdate): boolean {
  return Object.keys(more).length > 0;
}

/** Sends one change. */
async function sendChange(
  api: Pick<Client, 'callQueues' | 'extensions'>,
  change: ResourceChange,
): Promise<ChangeReceipt> {
  let requestId: string | undefined;
  const options: RequestOptions = {
    onReply: (reply) => {
      requestId = reply.requestId;
    },
  };
  if (change.action === 'create') {
    const rejection = await createQueue(api, change, options);
    return { requestId, ...(rejection && { rejected: new Map([[0, rejection]]) }) };
  }
  await api.callQueues.update(change.id ?? '', updateOf(change.after), options);
  return { requestId };
}

/** Creates a queue, or continues a creation that was interrupted after its first request. Returns the rejection, if any. */
async function createQueue(
  api: Pick<Client, 'callQueues' | 'extensions'>,
  { key, after }: ResourceChange,
  options: RequestOptions,
): Promise<Receipt | undefined> {
  const { first, more } = partsOf(after);
  const { name = '', extensionNumber = '', status } = first;
  const present = (await queuesByKey(api, [key])).get(key);
  // Another user may have created a queue with this number meanwhile.
  if (present?.name !== undefined && !isAsDesired(present.name, name)) {
    const message = `extension number ${extensionNumber} belongs to the queue ${present.name} (ID ${present.id})`;
    return { code: 'exists', message };
  }
  const { id } =
    present ??
    (await api.callQueues.create(
      { name, extensionNumber, ...(status !== undefined && { status }) },
      options,
    ));
  if (!hasMore(more)) return undefined;
  try {
    await api.callQueues.update(id, more, options);
    return undefined;
  } catch (error) {
    if (classifyError(error, 1) !== 'rejected') throw error;
    const message = `the queue exists (ID ${id}), but the service rejected its further settings: ${(error as Error).message}`;
    return { ...receiptOfError(error), code: partlyCreated, message };
  }
}

/** Reads the settings of queues, with progress. */
export function readQueueSettings(
  ctx: Pick<Context, 'out' | 'signal'>,
  api: Pick<Client, 'callQueues'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PresentResource>> {
  return ctx.out.progress('reading settings', async (update) => {
    const found = new Map<string, PresentResource>();
    for (const [done, id] of ids.entries()) {
      update(progressText({ done, failed: 0, total: ids.length }));
      const info = await readQueue(api, id, ctx.signal);
      if (info) found.set(id, { id, values: valuesOf(info) });
    }
    return found;
  });
}
