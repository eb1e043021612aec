import type { Context } from '../../runtime/context.ts';
import type { View } from '../../runtime/output.ts';
import type { CompletionShellOptions } from './options.ts';
import { scripts, type Shell } from './scripts/index.ts';
import { shellOf } from './shell.ts';

interface Script {
  readonly shell: Shell;
  readonly script: string;
}

const view: View<Script> = {
  columns: [
    { key: 'shell', title: 'Shell', value: (row) => row.shell },
    { key: 'script', title: 'Script', value: (row) => row.script },
  ],
};

/** `completion script`: the text itself, for a shell to read; an object in the structured formats. */
export async function printScript(ctx: Context, options: CompletionShellOptions): Promise<void> {
  const shell = shellOf(ctx.env, options.shell);
  const script = scripts[shell];
  const { out } = ctx;
  if (out.format === 'table' || out.format === 'tsv') return out.text(script);
  await out.record({ shell, script }, view);
}
