import type { Client } from '../../client/index.ts';
import type { Message } from '../../contract/message.ts';
import { faxView } from '../../features/mailbox/index.ts';
import type { Context } from '../../runtime/context.ts';
import { notFoundError } from '../../errors/command.ts';
import { ucctl } from '../../errors/hint.ts';
import { waitForFax } from './wait.ts';

export interface FaxStatusOptions {
  readonly id: string;
  readonly wait?: boolean;
  readonly waitTimeout?: number;
}

/** `fax status ID` */
export async function showFax(ctx: Context, { id, wait, waitTimeout }: FaxStatusOptions): Promise<void> {
  const api = await ctx.api();
  const fax = await readFax(ctx, api, id);
  if (wait) return waitForFax(ctx, api, fax, waitTimeout);
  await ctx.out.record(fax, faxView);
}

/** A fax by its id. @throws {CommandError} when it is a message of another type, or of none. */
export async function readFax(ctx: Context, api: Client, id: string): Promise<Message> {
  const message = await api.messages.get(id, '~', { signal: ctx.signal });
  if (message.type === 'Fax') return message;
  throw notFoundError(noFax(id, message), ucctl(`message show ${id}`));
}

function noFax(id: string, { type }: { readonly type?: string | undefined }): string {
  return type === undefined
    ? `the reply does not name the type of message ${id}, so it is not known to be a fax`
    : `${id} is no fax but a message of type ${type}`;
}
