import type { Context } from '../../runtime/context.ts';
import { control, type WhichSandbox } from './control.ts';
import { assertionRows } from './user.rows.ts';

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
  // The assertion is on a separate line, so that it can be piped into `login`; a table would truncate the assertion.
  if (out.isTerminal && out.format === 'table') return out.show(reply.assertion);
  const isPlain = out.format === 'table' || out.format === 'tsv';
  return out.record({ ...reply }, isPlain ? assertionRows.pick(['assertion']) : assertionRows.record);
}
