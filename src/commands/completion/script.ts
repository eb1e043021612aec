import type { Context } from '../../runtime/context.ts';
import type { CompletionShellOptions } from './options.ts';
import { scripts } from './scripts/index.ts';
import { shellOf } from './shell.ts';

/** `completion script` */
export async function printScript(ctx: Context, { shell }: CompletionShellOptions): Promise<void> {
  await ctx.out.text(scripts[shellOf(ctx.env, shell)]);
}
