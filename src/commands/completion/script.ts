import type { Context } from '../../runtime/context.ts';
import { scriptRows } from './completion.rows.ts';
import type { CompletionShellOptions } from './options.ts';
import { scripts } from './scripts/index.ts';
import { shellOf } from './shell.ts';

/** `completion script`: the script as text for a shell, or as an object in the structured formats. */
export async function printScript(ctx: Context, options: CompletionShellOptions): Promise<void> {
  const shell = shellOf(ctx.env, options.shell);
  const script = scripts[shell];
  const { out } = ctx;
  if (out.format === 'table' || out.format === 'tsv') return out.text(script);
  await out.record({ shell, script }, scriptRows.record);
}
