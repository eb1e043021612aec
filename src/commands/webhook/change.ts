import type { Client } from '../../client/index.ts';
import type { ChatWebhook } from '../../contract/chat.ts';
import type { Context } from '../../runtime/context.ts';
import { type CommandError, notFoundError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { confirmedChange } from '../../runtime/confirmed-change.ts';
import { confirmedDeletion } from '../../runtime/confirmed-deletion.ts';
import { requireConfirmation } from '../../runtime/require-confirmation.ts';
import { forEachId } from '../../runtime/for-each-id.ts';
import { isMissingResource } from '../../errors/service-codes.ts';
import { deleteAddress } from './chat-address.ts';
import { changedRows, type ChangedRow } from './chat-webhook.rows.ts';

export interface WebhookChangeOptions {
  readonly ids: readonly string[];
}

type Status = ChangedRow['status'];

const participles = { deleted: 'deleted', active: 'activated', suspended: 'suspended' } as const;

export async function deleteChatWebhooks(ctx: Context, { ids }: WebhookChangeOptions): Promise<void> {
  const api = await ctx.api();
  const count = new Set(ids).size;
  const what = count === 1 ? 'this webhook and its address' : `${count} webhooks and their addresses`;
  await requireConfirmation(ctx, `Delete ${what} permanently?`, 'nothing was deleted');
  await changeEach(ctx, ids, 'deleted', async (id) => {
    const options = { signal: ctx.signal };
    await confirmedDeletion({
      remove: () => api.chatWebhooks.delete(id, options),
      read: () => remaining(api.chatWebhooks.get(id, options)),
      hint: nextStep`to list your webhooks: ${ucctl('webhook list')}`,
    }).catch(async (error: unknown) => {
      if (isMissingResource(error)) await deleteAddress(ctx, id);
      throw error;
    });
    await deleteAddress(ctx, id);
  });
}

/** Returns the webhook; undefined if it is deleted, because a service may still return deleted webhooks. */
async function remaining(found: Promise<ChatWebhook | undefined>): Promise<ChatWebhook | undefined> {
  const webhook = await found;
  return webhook?.status === 'Deleted' ? undefined : webhook;
}

export async function activateChatWebhooks(ctx: Context, { ids }: WebhookChangeOptions): Promise<void> {
  const api = await ctx.api();
  await changeEach(ctx, ids, 'active', (id) => setStatus(ctx, api, id, 'activate'));
}

export async function suspendChatWebhooks(ctx: Context, { ids }: WebhookChangeOptions): Promise<void> {
  const api = await ctx.api();
  await changeEach(ctx, ids, 'suspended', (id) => setStatus(ctx, api, id, 'suspend'));
}

/** Changes the status of a webhook and reads it back, because no body of the reply is documented (CHAT-4). */
async function setStatus(ctx: Context, api: Client, id: string, verb: 'activate' | 'suspend'): Promise<void> {
  const { signal } = ctx;
  const wanted = verb === 'activate' ? 'Active' : 'Suspended';
  await confirmedChange({
    change: () => api.chatWebhooks.set(id, verb, { signal }),
    read: () => statusOf(api.chatWebhooks.get(id, { signal })),
    isMade: (status) => status === wanted,
    differences: (status) => [`${id} has the status ${status} instead of ${wanted}`],
    hint: nextStep`to show the status: ${ucctl('webhook list')}`,
  });
}

/** @throws {Error} for a webhook that the service does not show, or shows without a status. */
async function statusOf(found: Promise<ChatWebhook | undefined>): Promise<string> {
  const status = (await found)?.status;
  if (status === undefined) throw new Error('the service does not show the status of the webhook');
  return status;
}

async function changeEach(
  ctx: Context,
  ids: readonly string[],
  status: Status,
  change: (id: string) => Promise<void>,
): Promise<void> {
  const { done, finish } = await forEachId(ctx, ids, async (id): Promise<ChangedRow> => {
    await change(id).catch((error: unknown) => {
      throw isMissingResource(error) ? missing(id) : error;
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
