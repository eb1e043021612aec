import type { Context } from '../../runtime/context.ts';
import type { RowOf } from '../../runtime/rows.ts';
import { control, type WhichSandbox } from './control.ts';
import { statusRows } from './sandbox.rows.ts';
import { viewOfPresent } from './views.ts';

export interface SandboxStatusOptions extends WhichSandbox {
  readonly showSecrets?: boolean;
}
type Status = RowOf<typeof statusRows>;

/** Shows the state of a running sandbox. */
export async function sandboxStatusCommand(ctx: Context, options: SandboxStatusOptions): Promise<void> {
  const reply = await control<Status>(ctx, options, 'GET', '/status');
  const status = options.showSecrets ? reply : masked(reply);
  await ctx.out.record(status, viewOfPresent(statusRows.record, status));
}

const secrets: ReadonlySet<string> = new Set(['clientSecret', 'password']);

/** Masks passwords and client secrets, even in lists, because users often share a status in reports and on screens. */
function masked<T extends object>(value: T): T {
  return Object.fromEntries(
    Object.entries(value).map(([name, one]: [string, unknown]) => [
      name,
      secrets.has(name) && typeof one === 'string' ? '********' : maskedInside(one),
    ]),
  ) as T;
}

function maskedInside(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((one: unknown) => (typeof one === 'object' && one !== null ? masked(one) : one));
}
