import { ringOutView, toState } from '../../features/ringout/index.ts';
import type { Context } from '../../runtime/context.ts';

export interface RingOutIdOptions {
  readonly id: string;
}

export async function showRingOut(ctx: Context, { id }: RingOutIdOptions): Promise<void> {
  const call = await (await ctx.api()).ringOuts.get(id, { signal: ctx.signal });
  await ctx.out.record(toState(call, ctx.now()), ringOutView);
}
