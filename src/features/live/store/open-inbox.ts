import type { Context } from '../../../runtime/context.ts';
import { Inbox } from './inbox.ts';

/**
 * Opens the inbox of the profile for the service of this run. Ids of events are unique within one service only, so each service has an
 * inbox of its own. `claim`: whether an inbox without a service becomes that of this one; what writes events claims it.
 * @throws {DatabaseError} (exit 12).
 */
export function openInbox(ctx: Context, claim: boolean): Inbox {
  const base = ctx.settings.baseUrl.value;
  const origin = base !== undefined && URL.canParse(base) ? new URL(base).origin : undefined;
  return Inbox.open(ctx.paths.state, ctx.settings.profile.value, () => ctx.now(), { origin, claim });
}
