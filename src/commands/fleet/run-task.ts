import { dayMilliseconds } from '../../platform/day.ts';
import { fetchAttachmentOf } from '../../features/download/index.ts';
import {
  OtherAccountSessionError,
  PermanentTaskError,
  UnsuitableSessionError,
  type ClaimedTask,
  type TaskWork,
} from '../../features/fleet/index.ts';
import { OtherCallLogError, syncCalls } from '../../features/mirror/calls/index.ts';
import {
  copyMedia,
  deleteUnusedMedia,
  isPersonalSync,
  MediaFileError,
  type policyOfTasks,
  storeFailure,
  syncScope,
  type OpenSync,
} from '../../features/mirror/index.ts';
import { CommandError, messageOf } from '../../errors/command.ts';
import { readDateHeader } from '../../platform/date-header.ts';
import { counted, wasOrWere } from '../../platform/counted.ts';
import type { Archive } from '../../store/archive.ts';
import type { KnownExtension } from '../../store/call-store.ts';
import type { Context } from '../../runtime/context.ts';

/** What all tasks of a worker use. */
export interface TaskResources {
  /** Opens the archive. The guard is called in each transaction that stores data. */
  readonly open: (guard?: TaskWork['guard']) => Archive;
  /** Returns the policy for messages that the service deleted. */
  readonly policyOf: ReturnType<typeof policyOfTasks>;
}

/** Counts of one attempt, for the output of the worker. */
export interface TaskCounts {
  readonly received: number;
  readonly added: number;
  readonly changed: number;
  /** Attachments that were copied. */
  readonly media?: number;
}

/**
 * Milliseconds before the last sync of the call log from which calls are read again, because call legs can
 * arrive late.
 */
const callOverlap = dayMilliseconds;

/** Executes one attempt of a task. @throws {FencedError} another worker has taken over the task; no further data is stored. */
export async function runTask(
  ctx: Context,
  { open, policyOf }: TaskResources,
  task: ClaimedTask,
  work: TaskWork,
): Promise<TaskCounts> {
  let fenced: unknown;
  const archive = open((transaction) =>
    work.guard(transaction).catch((error: unknown) => {
      fenced = error;
      throw error;
    }),
  );
  try {
    if (task.kind === 'messages') return await copyMessages(ctx, archive, { task, policyOf }, work);
    if (task.kind === 'calls') return await copyCalls(ctx, archive, work);
    return await copyAttachments(ctx, archive, task, work);
  } catch (error) {
    // A failed attachment is counted and reported as such, even if the task was taken over.
    if (fenced !== undefined) throw fenced as Error;
    throw taskError(error);
  }
}

/** Converts a failure that every attempt repeats until somebody changes the sign-in or the archive. Returns any other error unchanged. */
function taskError(error: unknown): unknown {
  const failure = storeFailure(error);
  const code = failure instanceof CommandError ? failure.code : undefined;
  const options = { cause: failure };
  if (code === 'legal_hold') return new PermanentTaskError(messageOf(failure), options);
  if (code === 'other_account') return new OtherAccountSessionError(messageOf(failure), options);
  if (code === 'other_mailbox' || error instanceof OtherCallLogError)
    return new UnsuitableSessionError(messageOf(failure), options);
  return error;
}

async function copyMessages(
  ctx: Context,
  { messages }: Archive,
  { task: { subject, onDelete }, policyOf }: Pick<TaskResources, 'policyOf'> & { readonly task: ClaimedTask },
  { session: { api }, signal, progress, onWait }: TaskWork,
): Promise<TaskCounts> {
  const open: OpenSync = async (extensionId, request) => {
    const reply = await api.messages.openSync({ ...request }, extensionId, { signal, onWait });
    return noting(reply.bytes(), progress);
  };
  const { received, added, changed } = await syncScope(messages, open, {
    extensionId: subject,
    scope: {},
    // An archive never has the policy `purge`, which a task has only if it was enrolled with it.
    onDelete: onDelete === 'purge' ? onDelete : await policyOf(messages),
    isPersonal: isPersonalSync(ctx.settings),
    now: () => ctx.now(),
  });
  return { received, added, changed };
}

/** Yields the bytes unchanged; each chunk shows that the service is still sending. */
async function* noting(
  bytes: AsyncIterable<Uint8Array>,
  progress: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of bytes) {
    progress();
    yield piece;
  }
}

async function copyCalls(
  ctx: Context,
  { messages, calls }: Archive,
  { session: { api }, signal, progress, onWait }: TaskWork,
): Promise<TaskCounts> {
  let served: number | undefined;
  const onReply = ({ date }: { readonly date: string | undefined }): void => {
    progress();
    served = readDateHeader(date);
  };
  const options = { signal, onReply, onWait };
  const source = {
    list: (filter: Parameters<typeof api.callLog.list>[1]) => api.callLog.list('account', filter, options),
    now: () => served,
    get: (ids: readonly string[]) => api.callLog.get('account', ids, 'Detailed', options),
  };
  const { received, added, changed } = await syncCalls(calls, source, {
    scope: 'account',
    since: undefined,
    overlap: callOverlap,
    full: false,
    now: ctx.now(),
    isErased: await messages.erasedNumbers(),
  });
  const known: KnownExtension[] = [];
  for await (const { id, extensionNumber, name, type } of api.extensions.list(
    {},
    { ...options, onReply: () => progress() },
  ))
    known.push({ id: String(id), extensionNumber, name: name ?? extensionNumber ?? String(id), type });
  await calls.saveExtensions(known);
  return { received, added, changed };
}

/** Deletes attachments that no message uses. A file that cannot be deleted remains listed for the next task. */
async function deleteUnused(ctx: Context, archive: Pick<Archive, 'messages' | 'media'>): Promise<void> {
  try {
    await deleteUnusedMedia(ctx, archive);
  } catch (error) {
    if (!(error instanceof MediaFileError)) throw error;
    ctx.out.warn(`could not delete an unused attachment: ${error.message}`);
  }
}

async function copyAttachments(
  ctx: Context,
  { messages, media }: Archive,
  { subject }: ClaimedTask,
  { session: { api }, signal, progress, onWait }: TaskWork,
): Promise<TaskCounts> {
  const fetch = fetchAttachmentOf(api, ctx, { signal, onBytes: progress, onWait });
  const { copied, failed, problem, placeFailure } = await copyMedia(
    messages,
    media,
    subject,
    async (...wanted) => {
      progress();
      const fetched = await fetch(...wanted);
      progress();
      return fetched;
    },
  );
  signal.throwIfAborted();
  if (placeFailure) throw placeFailure;
  await deleteUnused(ctx, { messages, media });
  if (failed > 0)
    throw new Error(
      `${counted(failed, 'attachment')} ${wasOrWere(failed)} not copied: ${problem ?? 'unknown reason'}`,
    );
  return { received: copied, added: copied, changed: 0, media: copied };
}
