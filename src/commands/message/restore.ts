import type { Context } from '../../runtime/context.ts';
import { checkIds } from './ids.ts';
import { report, type MessageIdsOptions } from './mark.ts';

/** `message restore ID...` (MESSAGE-26). */
export async function restoreMessages(ctx: Context, { ids }: MessageIdsOptions): Promise<void> {
  checkIds(ids);
  const api = await ctx.api();
  const change = { availability: 'Alive' } as const;
  await report(ctx, api.messages.patchEach(ids, change), change, 'restored');
}
