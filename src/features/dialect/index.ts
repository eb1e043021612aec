import type { Client } from '../../client/index.ts';
import { dialects, type DialectName } from '../../contract/dialects.ts';
import type { Context } from '../../runtime/context.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';

const names = ['spec', 'current'] as const satisfies readonly DialectName[];

/**
 * Determines the dialect of a service by reading the list of chat webhooks at the address of each dialect, because only
 * one of the two addresses exists. Returns undefined if both or neither exist, or if a request fails. The reads count
 * toward the rate limits.
 */
async function findDialect(client: Client, signal: AbortSignal): Promise<DialectName | undefined> {
  const found: DialectName[] = [];
  for (const name of names) {
    const status = await statusOf(client, `${dialects[name].chatPath}/webhooks`, signal);
    if (status === undefined) return undefined;
    if (status !== 404) found.push(name);
  }
  return found.length === 1 ? found[0] : undefined;
}

/**
 * Returns the dialect of the service of this run. Prints a note if the dialect is not the default or could not be
 * determined.
 */
export async function announcedDialect(ctx: Context): Promise<DialectName | undefined> {
  const found = await findDialect(await ctx.api(), ctx.signal);
  if (found === undefined) {
    ctx.out.note(
      nextStep`ucctl could not determine the dialect of the service and uses spec. If requests fail with 404, run: ${ucctl('config set dialect current')}`,
    );
  } else if (found !== 'spec') {
    ctx.out.note(`The service uses dialect ${found}. ucctl stored it in the profile.`);
  }
  return found;
}

/** Returns the status of a GET if it shows whether the path exists; otherwise, or without a reply, undefined. */
async function statusOf(client: Client, path: string, signal: AbortSignal): Promise<number | undefined> {
  let rejected: number | undefined;
  const onErrorStatus = ({ reply }: { readonly reply: { readonly status: number } }): void => {
    rejected = reply.status;
  };
  try {
    const call = { method: 'GET', path, resend: 'unsent' } as const;
    const reply = await client.transport.open(call, { signal, onErrorStatus });
    await reply.discard();
    return reply.status === 200 ? 200 : undefined;
  } catch {
    signal.throwIfAborted();
    // A missing permission is reported only for a path that exists.
    return rejected === 403 || rejected === 404 ? rejected : undefined;
  }
}
