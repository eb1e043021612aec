import type { Context } from '../../../runtime/context.ts';
import { Inbox } from './inbox.ts';

/**
 * Opens the inbox of the profile for the service of this run. Event IDs are unique only within one service, so each
 * service has its own inbox. With `claim`, an inbox without a service is assigned to this service; only commands that
 * add events set it.
 * @throws {DatabaseError} (exit 12) if the database cannot be used.
 */
export function openInbox(ctx: Context, claim: boolean): Inbox {
  const base = ctx.settings.baseUrl.value;
  const origin = base !== undefined && URL.canParse(base) ? new URL(base).origin : undefined;
  return Inbox.open(ctx.paths.state, ctx.settings.profile.value, () => ctx.now(), { origin, claim });
}
