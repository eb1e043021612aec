import type { Client } from '../../client/index.ts';
import type { Context } from '../../runtime/context.ts';
import { announceTime, progressText } from '../bulk/index.ts';
import { readMembership } from './membership.ts';
import type { Membership } from './plan.ts';

/** Reads the members of queues, with an estimate of the time if it is a minute or more, and with progress. */
export async function readMembershipWithProgress(
  ctx: Pick<Context, 'out' | 'signal'>,
  api: Pick<Client, 'departments'>,
  queueIds: Iterable<string | number>,
): Promise<Membership> {
  const ids = [...queueIds].map(String);
  announceTime(ctx, 'Reading queue members', { Light: ids.length });
  return ctx.out.progress('reading members', (update) => {
    const onRead = (done: number): void => update(progressText({ done, failed: 0, total: ids.length }));
    onRead(0);
    return readMembership(api, ids, ctx.signal, onRead);
  });
}
