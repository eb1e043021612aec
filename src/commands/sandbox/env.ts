import { resolve } from 'node:path';
import type { Context } from '../../runtime/context.ts';
import type { View } from '../../runtime/output.ts';
import { environmentOf } from './environment.ts';
import { findSandbox } from './record-file.ts';
import { shellQuoted } from './shell-quoted.ts';

export interface SandboxEnvOptions {
  readonly readyFile?: string;
}
type Variables = Readonly<Record<string, string>>;

/** Prints the environment of a running sandbox: lines for a POSIX shell, or one object in the structured formats. */
export async function sandboxEnvCommand(ctx: Context, options: SandboxEnvOptions): Promise<void> {
  const file = options.readyFile === undefined ? undefined : resolve(ctx.cwd, options.readyFile);
  const variables = environmentOf(await findSandbox(ctx, file));
  const { out } = ctx;
  if (out.format !== 'table' && out.format !== 'tsv') return out.record(variables, recordView(variables));
  const lines = exportLines(variables);
  // A table would cut long lines; nobody pipes a terminal.
  if (out.isTerminal && out.format === 'table') return out.show(lines.join('\n'));
  return out.list(
    lines.map((line) => ({ line })),
    lineView,
  );
}

/** `export` lines that any POSIX shell reads back exactly. */
export function exportLines(variables: Variables): string[] {
  return Object.entries(variables).map(([name, value]) => `export ${name}=${shellQuoted(value)}`);
}

const lineView: View<{ readonly line: string }> = {
  columns: [{ key: 'line', title: '# for a POSIX shell', value: ({ line }) => line }],
};

function recordView(variables: Variables): View<Variables> {
  return {
    columns: Object.keys(variables).map((name) => ({ key: name, title: name, value: (row) => row[name] })),
  };
}
