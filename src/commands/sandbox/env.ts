import { resolve } from 'node:path';
import type { Context } from '../../runtime/context.ts';
import { environmentRows, exportRows } from './env.rows.ts';
import { environmentOf } from './environment.ts';
import { findSandbox } from './record-file.ts';
import { shellQuoted } from '../../platform/shell-quoted.ts';
import { viewOfPresent } from './views.ts';

export interface SandboxEnvOptions {
  readonly readyFile?: string;
}
/**
 * A shell ignores the exit code of the command in `eval "$(ucctl sandbox env)"`. With this line, `eval` itself fails, so
 * that a script with `set -e` stops, and does not go on with the account of the profile.
 */
const failingLine = 'false';

type Variables = Readonly<Record<string, string | undefined>>;

/** Prints the environment of a running sandbox: lines for a POSIX shell, or one object in the structured formats. */
export async function sandboxEnvCommand(ctx: Context, options: SandboxEnvOptions): Promise<void> {
  const file = options.readyFile === undefined ? undefined : resolve(ctx.cwd, options.readyFile);
  const { out } = ctx;
  const isForShell = out.format === 'table' || out.format === 'tsv';
  const ready = await findSandbox(ctx, file).catch(async (error: unknown) => {
    if (isForShell && !out.isTerminal) await out.list([{ line: failingLine }], exportRows.list);
    throw error;
  });
  const variables = environmentOf(ready);
  if (!isForShell) return out.record(variables, viewOfPresent(environmentRows.record, variables));
  const lines = exportLines(variables);
  // A table would truncate long lines.
  if (out.isTerminal && out.format === 'table') return out.show(lines.join('\n'));
  return out.list(
    lines.map((line) => ({ line })),
    exportRows.list,
  );
}

/** `export` lines, quoted for any POSIX shell. */
export function exportLines(variables: Variables): string[] {
  return Object.entries(variables).map(([name, value]) => `export ${name}=${shellQuoted(value ?? '')}`);
}
