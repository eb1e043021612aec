import type { Client } from '../../client/index.ts';
import type { Message } from '../../contract/message.ts';
import { faxView } from '../../features/mailbox/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, notFoundError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { isMissingResource } from '../../errors/service-codes.ts';
import { waitForFax } from './wait.ts';

export interface FaxStatusOptions {
  readonly id: string;
  readonly wait?: boolean;
  readonly waitTimeout?: number;
}

export async function showFax(ctx: Context, { id, wait, waitTimeout }: FaxStatusOptions): Promise<void> {
  const api = await ctx.api();
  const fax = await readFax(ctx, api, id);
  if (wait) return waitForFax(ctx, api, fax, waitTimeout);
  await ctx.out.record(fax, faxView);
}

/** Reads a fax by its ID. @throws {CommandError} for a missing message, and one of another type or without a type. */
export async function readFax(ctx: Context, api: Client, id: string): Promise<Message> {
  const message = await readMessage(ctx, api, id);
  if (message.type === 'Fax') return message;
  throw notFoundError(noFax(id, message), ucctl`message show ${id}`);
}

async function readMessage({ signal }: Context, api: Client, id: string): Promise<Message> {
  try {
    const message = await api.messages.get(id, '~', { signal });
    // Dialect `current` also returns deleted messages (CURRENT-18). The status of a canceled fax stays Queued.
    if (message.availability !== 'Deleted' && message.availability !== 'Purged') return message;
  } catch (error) {
    if (!isMissingResource(error)) throw error;
  }
  throw new CommandError(
    'not_found',
    Exit.notFound,
    `fax ${id} not found: it may have been canceled or deleted`,
    {
      hint: nextStep`to show a deleted fax: ${ucctl`message show ${id} --availability Alive,Deleted,Purged`}`,
    },
  );
}

function noFax(id: string, { type }: { readonly type?: string | undefined }): string {
  return type === undefined
    ? `ucctl cannot determine whether message ${id} is a fax: the reply has no type`
    : `message ${id} is not a fax; its type is ${type}`;
}
