import type { Client } from '../../client/index.ts';
import type { Context } from '../../runtime/context.ts';
import { announceTime, progressText } from '../bulk/index.ts';
import { readMembership } from './membership.ts';
import type { Membership } from './plan.ts';

/** Reads who is in each of the queues now, saying how far it is, and before it how long it takes where that is a minute or more. */
export async function readMembershipTold(
  ctx: Pick<Context, 'out' | 'signal'>,
  api: Pick<Client, 'departments'>,
  queueIds: Iterable<string | number>,
): Promise<Membership> {
  const ids = [...queueIds].map(String);
  announceTime(ctx, 'reading the members', { Light: ids.length });
  return ctx.out.progress('reading members', (update) => {
    const tell = (done: number): void => update(progressText({ done, failed: 0, total: ids.length }));
    tell(0);
    return readMembership(api, ids, ctx.signal, tell);
  });
}
