import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { control, pairs, type WhichSandbox } from './control.ts';
import { viewOfMembers } from './views.ts';

export interface SandboxTriggerOptions extends WhichSandbox {
  readonly kind: string;
  readonly detail: readonly string[];
}

/** Simulates an event in a sandbox. */
export async function sandboxTriggerCommand(ctx: Context, options: SandboxTriggerOptions): Promise<void> {
  requireNotification(options);
  const path = `/triggers/${encodeURIComponent(options.kind)}`;
  const reply = await control(ctx, options, 'POST', path, pairs(options.detail));
  await ctx.out.record({ ...reply }, viewOfMembers(reply));
}

/** @throws {CommandError} `usage` for a status with the trigger `extension`, which only sends a notification. */
function requireNotification({ kind, detail }: SandboxTriggerOptions): void {
  const { status, extension = 'WHO' } = pairs(detail);
  if (kind !== 'extension' || status === undefined) return;
  const action = /^enabled$/i.test(status) ? 'enable' : 'disable';
  throw usageError(
    'the trigger "extension" sends a notification, but does not change the status of a user',
    nextStep`to change the status: ${ucctl`sandbox user ${action} ${extension}`}`,
  );
}
