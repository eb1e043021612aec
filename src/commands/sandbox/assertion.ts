import type { Context } from '../../runtime/context.ts';
import type { View } from '../../runtime/output.ts';
import { control, type WhichSandbox } from './control.ts';

export interface SandboxAssertionOptions extends WhichSandbox {
  readonly who: string;
}

interface Assertion {
  readonly assertion: string;
  readonly extensionId: string;
  readonly expiresAt: string;
}

/** Prints a signed assertion of a user of a sandbox, for `login --flow jwt`. */
export async function sandboxAssertionCommand(ctx: Context, options: SandboxAssertionOptions): Promise<void> {
  const reply = await control<Assertion>(ctx, options, 'POST', '/assertions', { user: options.who });
  const { out } = ctx;
  // Alone on its line, so that it can be piped into `login`; a table would cut it.
  if (out.isTerminal && out.format === 'table') return out.show(reply.assertion);
  const isPlain = out.format === 'table' || out.format === 'tsv';
  return out.record({ ...reply }, isPlain ? lineView : recordView);
}

const column = (key: keyof Assertion, title: string) => ({
  key,
  title,
  value: (row: Readonly<Record<string, unknown>>) => String(row[key]),
});

const lineView: View<Readonly<Record<string, unknown>>> = { columns: [column('assertion', 'ASSERTION')] };

const recordView: View<Readonly<Record<string, unknown>>> = {
  columns: [
    column('assertion', 'ASSERTION'),
    column('extensionId', 'EXTENSION ID'),
    column('expiresAt', 'EXPIRES AT'),
  ],
};
