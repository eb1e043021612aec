import type { Client } from '../../client/index.ts';
import type { Context } from '../../runtime/context.ts';
import { type CommandError, notFoundError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { forEachId } from '../../runtime/for-each-id.ts';
import type { View } from '../../runtime/output.ts';
import { isRefusedWith } from '../../errors/service.ts';
import { secretName } from './chat-view.ts';

export interface WebhookChangeOptions {
  readonly ids: readonly string[];
}

type Status = 'deleted' | 'active' | 'suspended';

const participles = { deleted: 'deleted', active: 'activated', suspended: 'suspended' } as const;

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

async function changeEach(
  ctx: Context,
  ids: readonly string[],
  status: Status,
  change: (api: Client, id: string) => Promise<void>,
): Promise<void> {
  const api = await ctx.api();
  const { done, finish } = await forEachId(ctx, ids, async (id): Promise<Changed> => {
    await change(api, id).catch((error: unknown) => {
      throw isRefusedWith(error, 404) ? missing(id) : error;
    });
    return { id, status };
  });
  await ctx.out.list(done, view);
  finish(participles[status]);
}

function missing(id: string): CommandError {
  return notFoundError(
    `there is no chat webhook "${id}" of yours`,
    nextStep`list them: ${ucctl('webhook list')}`,
  );
}
