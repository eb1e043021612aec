import type { Client } from '../../client/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, messageOf, notFoundError } from '../../runtime/errors.ts';
import type { View } from '../../runtime/output.ts';
import { isRefusedWith } from '../../runtime/service-errors.ts';
import { secretName } from './chat-view.ts';

export interface WebhookChangeOptions {
  readonly ids: readonly string[];
}

type Status = 'deleted' | 'active' | 'suspended';

interface Changed {
  readonly id: string;
  readonly status: Status;
}

const view: View<Changed> = {
  columns: [
    { key: 'id', title: 'ID', kind: 'id', value: (row) => row.id },
    { key: 'status', title: 'STATUS', kind: 'status', value: (row) => row.status },
  ],
};

/** `webhook delete ID...` */
export async function deleteChatWebhooks(ctx: Context, { ids }: WebhookChangeOptions): Promise<void> {
  await changeEach(ctx, ids, 'deleted', async (api, id) => {
    await api.chatWebhooks.delete(id, { signal: ctx.signal });
    await (await ctx.auth()).secrets.delete(secretName(id)).catch(() => false);
  });
}

/** `webhook activate ID...` */
export async function activateChatWebhooks(ctx: Context, { ids }: WebhookChangeOptions): Promise<void> {
  await changeEach(ctx, ids, 'active', (api, id) =>
    api.chatWebhooks.set(id, 'activate', { signal: ctx.signal }),
  );
}

/** `webhook suspend ID...` */
export async function suspendChatWebhooks(ctx: Context, { ids }: WebhookChangeOptions): Promise<void> {
  await changeEach(ctx, ids, 'suspended', (api, id) =>
    api.chatWebhooks.set(id, 'suspend', { signal: ctx.signal }),
  );
}

/** One that fails does not stop the others. */
async function changeEach(
  ctx: Context,
  ids: readonly string[],
  status: Status,
  change: (api: Client, id: string) => Promise<void>,
): Promise<void> {
  const api = await ctx.api();
  const done: Changed[] = [];
  const failures: { readonly id: string; readonly error: unknown }[] = [];
  for (const id of new Set(ids)) {
    try {
      await change(api, id);
      done.push({ id, status });
    } catch (error) {
      if (ctx.dryRun || ctx.signal.aborted) throw error;
      failures.push({ id, error: isRefusedWith(error, 404) ? missing(id) : error });
    }
  }
  await ctx.out.list(done, view);
  const [first] = failures;
  if (!first) return;
  if (done.length === 0 && failures.length === 1) throw first.error;
  const details = failures.map(({ id, error }) => `${id}: ${messageOf(error)}`);
  const exit = done.length === 0 ? Exit.failed : Exit.partial;
  const message = `${failures.length} of ${failures.length + done.length} did not become ${status}`;
  throw new CommandError('partial', exit, message, { details });
}

function missing(id: string): CommandError {
  return notFoundError(`there is no chat webhook "${id}" of yours`, 'list them: ucctl webhook list');
}
