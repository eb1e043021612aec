import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { nextStep, ucctl, type Hint } from '../../errors/hint.ts';
import { dialects } from '../../contract/dialects.ts';

export interface QueuePortalOptions {
  readonly names: readonly string[];
}

/** `queue create`: the service has no such request, or creates queues from a file (QUEUE-5, CLIENT-18). */
export function explainCreation(ctx: Context, { names }: QueuePortalOptions): Promise<void> {
  const name = names[0] ?? 'the queue';
  const apply = ucctl('queue apply --file FILE');
  const hint = hasQueueSettings(ctx)
    ? nextStep`write a file with "queue: ${name}", "create: true" and "settings:" with name and number, then run ${apply}`
    : nextStep`create ${name} in the account portal, then add its agents: ${ucctl`queue assign --queue ${wordOf(names)} --add AGENT`}`;
  const message = hasQueueSettings(ctx)
    ? 'ucctl creates queues from a file, not with queue create'
    : 'the API of the service cannot create queues';
  return explained(message, hint);
}

/** `queue delete`: the service has no such request (QUEUE-5, CLIENT-18). */
export function explainDeletion(ctx: Context, { names }: QueuePortalOptions): Promise<void> {
  const name = names[0] ?? 'the queue';
  const portal = `delete ${name} in the account portal`;
  const hint = hasQueueSettings(ctx)
    ? nextStep`${portal}, or disable the queue: write a file with "queue: ${name}" and "settings: { status: Disabled }", then run ${ucctl('queue apply --file FILE')}`
    : nextStep`${portal}; to remove its agents: ${ucctl`queue unassign ${wordOf(names)} AGENT`}`;
  return explained('the API of the service cannot delete queues', hint);
}

function hasQueueSettings(ctx: Context): boolean {
  return dialects[ctx.settings.dialect.value].queues === 'call-queues';
}

function wordOf(names: readonly string[]): string {
  return names[0] ?? 'QUEUE';
}

function explained(message: string, hint: Hint): Promise<never> {
  return Promise.reject(usageError(message, hint));
}
