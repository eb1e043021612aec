import type { Client } from '../../client/index.ts';
import type { Message } from '../../contract/message.ts';
import {
  faxReceivers,
  planRestore,
  toChanged,
  type ChangedMessage,
  type RestorePlan,
} from '../../features/mailbox/index.ts';
import { sendDryRun } from '../../features/bulk/index.ts';
import { confirmRequest, outcomeUnknown } from '../../features/outgoing/index.ts';
import { counted } from '../../platform/counted.ts';
import type { Context } from '../../runtime/context.ts';
import { ucctl } from '../../errors/hint.ts';
import { checkIds } from './ids.ts';
import { showRows, type MessageIdsOptions } from './mark.ts';

const change = { availability: 'Alive' } as const;

/**
 * `message restore ID...` (MESSAGE-26): the service sends a canceled fax that is restored, so the command checks and
 * confirms it like a fax.
 */
export async function restoreMessages(ctx: Context, { ids }: MessageIdsOptions): Promise<void> {
  checkIds(ids);
  const policy = await ctx.policy();
  await policy.check({ kind: 'write', numbers: [] });
  const api = await ctx.api();
  const plan = await planRestore(api, ids);
  if (plan.faxes.length > 0) {
    const numbers = plan.faxes.flatMap(faxReceivers);
    await policy.check({ kind: 'fax', numbers, count: numbers.length });
    for (const fax of plan.faxes)
      ctx.out.preview(`restore and send fax ${fax.id} to ${faxReceivers(fax).join(', ')}`);
    const what = plan.faxes.length === 1 ? 'this fax' : counted(plan.faxes.length, 'fax', 'faxes');
    await confirmRequest(ctx, `Restore and send ${what}?`);
  }
  if (ctx.dryRun) return showRequests(ctx, api, plan);
  await showRows(ctx, restored(ctx, api, plan));
}

/** Shows all requests of a dry run. A dry run of one message shows one request, not a list. */
async function showRequests(ctx: Context, api: Client, { faxes, ids }: RestorePlan): Promise<void> {
  const sends: (() => Promise<unknown>)[] = faxes.map((fax) => () => sendFax(ctx, api, fax));
  if (ids.length > 0)
    sends.push(() => api.messages.patchEach(ids, change, { faxTo: [] })[Symbol.asyncIterator]().next());
  const [only, second] = sends;
  if (only && !second && faxes.length + ids.length === 1) await only();
  else await sendDryRun(sends);
}

async function* restored(
  ctx: Context,
  api: Client,
  { faxes, ids, unread }: RestorePlan,
): AsyncGenerator<ChangedMessage, void, undefined> {
  yield* unread;
  for (const fax of faxes) yield await sendFax(ctx, api, fax);
  for await (const outcome of api.messages.patchEach(ids, change, { faxTo: [] }))
    yield toChanged(outcome, change, 'restored');
}

async function sendFax(ctx: Context, api: Client, fax: Message): Promise<ChangedMessage> {
  const id = String(fax.id);
  const faxTo = faxReceivers(fax);
  const [outcome] = await outcomeUnknown(
    ctx,
    `the service may have restored and sent fax ${id}`,
    ucctl`message show ${id} --availability Alive,Deleted`,
    () => api.messages.patch([id], change, { faxTo }),
  );
  return outcome ? toChanged(outcome, change, 'restored') : { id, status: 'unknown', problem: undefined };
}
