import type { Context } from '../../runtime/context.ts';
import { control, type WhichSandbox } from './control.ts';
import { viewOfRecord } from './views.ts';

export interface SandboxStatusOptions extends WhichSandbox {
  readonly showSecrets?: boolean;
}
type Status = Readonly<Record<string, unknown>>;

/** Shows what a running sandbox says of itself. */
export async function sandboxStatusCommand(ctx: Context, options: SandboxStatusOptions): Promise<void> {
  const reply = await control<Status>(ctx, options, 'GET', '/status');
  const status = options.showSecrets ? reply : masked(reply);
  await ctx.out.record(status, viewOfRecord(status));
}

const secrets: ReadonlySet<string> = new Set(['clientSecret', 'password']);

/** Without the secrets of apps and people, also those in lists: a status ends up in reports and on screens that are shared. */
function masked(value: Status): Status {
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      secrets.has(name) && typeof one === 'string' ? '********' : maskedInside(one),
    ]),
  );
}

function maskedInside(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((one: unknown) => (typeof one === 'object' && one !== null ? masked(one as Status) : one));
}
