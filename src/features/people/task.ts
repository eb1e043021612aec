import type { Client } from '../../client/index.ts';
import type { ExtensionBulkUpdateTask, ExtensionUpdate } from '../../contract/extension-bulk-update.ts';
import { messageOf } from '../../errors/command.ts';
import { OutcomeUnknownError } from '../../errors/service.ts';
import type { Context } from '../../runtime/context.ts';
import type { ChangeReceipt } from '../resource-plan/index.ts';

/** Milliseconds between two reads of a task; each pause is longer than the previous pause. */
const pauses = [500, 1000, 2000, 3000, 5000] as const;
/** Milliseconds after which the outcome of a task counts as unknown. */
const longestTask = 15 * 60_000;
const ended: ReadonlySet<string> = new Set(['Completed', 'Failed']);

/**
 * Starts a task that changes extensions, and waits for its end.
 * @throws {OutcomeUnknownError} if the task does not end in time or cannot be read, or the user interrupts the run. The
 * changes are then read back.
 */
export async function runUpdateTask(
  ctx: Pick<Context, 'sleep' | 'elapsed'>,
  { extensions }: Pick<Client, 'extensions'>,
  records: readonly ExtensionUpdate[],
): Promise<ChangeReceipt> {
  let requestId: string | undefined;
  let task = await extensions.update(records, {
    onReply: (reply) => {
      requestId = reply.requestId;
    },
  });
  const start = ctx.elapsed();
  const line = { method: 'GET', path: `/restapi/v1.0/account/~/extension-bulk-update/tasks/${task.id}` };
  const unknown = (why: string, cause?: unknown): OutcomeUnknownError =>
    new OutcomeUnknownError(line, cause, `${why}; update task ${task.id} may still make the changes`);
  for (let reading = 0; !ended.has(task.status); reading += 1) {
    if (ctx.elapsed() - start > longestTask) throw unknown('ucctl waited 15 minutes for the end of the task');
    try {
      await ctx.sleep(pauses[reading] ?? pauses.at(-1) ?? 0);
    } catch (error) {
      throw unknown('interrupted before the end of the task', error);
    }
    // A failed read says nothing about the task, which the service has accepted.
    task = await extensions.updateTask(task.id).catch((error: unknown) => {
      throw unknown(messageOf(error), error);
    });
  }
  return { requestId, rejected: rejectionsOf(task, records) };
}

/**
 * Returns the reasons why changes of a task failed, by index of the change. If the whole task failed, its reason
 * applies to all changes.
 */
function rejectionsOf(
  { status, result }: ExtensionBulkUpdateTask,
  records: readonly ExtensionUpdate[],
): NonNullable<ChangeReceipt['rejected']> {
  const indexes = new Map(records.map(({ id }, index) => [id, index]));
  const rejected = new Map<number, { code: string; message: string }>();
  const items = result?.affectedItems?.result ?? [];
  for (const { extensionId = '', status: outcome, errors } of items) {
    const index = indexes.get(extensionId);
    if (index !== undefined && outcome === 'Fail') rejected.set(index, reasonOf(errors));
  }
  if (status === 'Failed' && items.length === 0)
    for (const index of records.keys()) rejected.set(index, reasonOf(result?.errors));
  return rejected;
}

type TaskErrors = NonNullable<NonNullable<ExtensionBulkUpdateTask['result']>['errors']>;

function reasonOf(errors: TaskErrors = []): { readonly code: string; readonly message: string } {
  const [first] = errors;
  return {
    code: first?.errorCode ?? 'rejected',
    message: first?.message ?? 'the service rejected the change without a reason',
  };
}
