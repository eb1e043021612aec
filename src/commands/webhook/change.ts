import type { Client } from '../../client/index.ts';
import type { ChatWebhook } from '../../contract/chat.ts';
import type { Context } from '../../runtime/context.ts';
import { type CommandError, notFoundError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { confirmedDeletion } from '../../runtime/confirmed-deletion.ts';
import { forEachId } from '../../runtime/for-each-id.ts';
import { isRejectedWith } from '../../errors/service.ts';
import { secretName } from './chat-address.ts';
import { changedRows, type ChangedRow } from './chat-webhook.rows.ts';

export interface WebhookChangeOptions {
  readonly ids: readonly string[];
}

type Status = ChangedRow['status'];

const participles = { deleted: 'deleted', active: 'activated', suspended: 'suspended' } as const;

export async function deleteChatWebhooks(ctx: Context, { ids }: WebhookChangeOptions): Promise<void> {
  await changeEach(ctx, ids, 'deleted', async (api, id) => {
    const options = { signal: ctx.signal };
    await confirmedDeletion(
      () => api.chatWebhooks.delete(id, options),
      () => remaining(api.chatWebhooks.get(id, options)),
    );
    await (await ctx.auth()).secrets.delete(secretName(id)).catch(() => false);
  });
}

/** Returns the webhook; undefined if it is deleted, because a service may still return deleted webhooks. */
async function remaining(found: Promise<ChatWebhook | undefined>): Promise<ChatWebhook | undefined> {
  const webhook = await found;
  return webhook?.status === 'Deleted' ? undefined : webhook;
}

export async function activateChatWebhooks(ctx: Context, { ids }: WebhookChangeOptions): Promise<void> {
  await changeEach(ctx, ids, 'active', (api, id) =>
    api.chatWebhooks.set(id, 'activate', { signal: ctx.signal }),
  );
}

export async function suspendChatWebhooks(ctx: Context, { ids }: WebhookChangeOptions): Promise<void> {
  await changeEach(ctx, ids, 'suspended', (api, id) =>
    api.chatWebhooks.set(id, 'suspend', { signal: ctx.signal }),
  );
}

async function changeEach(
  ctx: Context,
  ids: readonly string[],
  status: Status,
  change: (api: Client, id: string) => Promise<void>,
): Promise<void> {
  const api = await ctx.api();
  const { done, finish } = await forEachId(ctx, ids, async (id): Promise<ChangedRow> => {
    await change(api, id).catch((error: unknown) => {
      throw isRejectedWith(error, 404) ? missing(id) : error;
    });
    return { id, status };
  });
  await ctx.out.list(done, changedRows.list);
  finish('webhook', participles[status]);
}

function missing(id: string): CommandError {
  return notFoundError(
    `chat webhook "${id}" not found`,
    nextStep`to list your webhooks: ${ucctl('webhook list')}`,
  );
}
