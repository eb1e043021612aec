import type { Context } from '../../../runtime/context.ts';
import { Inbox } from './inbox.ts';
import type { InboxService } from './service.ts';

/** The purpose of opening an inbox, by default to change what it contains. */
export type InboxUse = Partial<Pick<InboxService, 'claim' | 'onlyReads'>>;

/**
 * Opens the inbox of the profile for the service of this run. Event IDs are unique only within one service, so each
 * service has its own inbox. With `claim`, an inbox without a service is assigned to this service; only commands that
 * add events set it. `onlyReads` also opens an inbox that cannot be written.
 * @throws {DatabaseError} (exit 12) if the database cannot be used.
 */
export function openInbox(ctx: Context, { claim = false, onlyReads = false }: InboxUse): Inbox {
  const base = ctx.settings.baseUrl.value;
  const origin = base !== undefined && URL.canParse(base) ? new URL(base).origin : undefined;
  return Inbox.open(ctx.paths.state, ctx.settings.profile.value, () => ctx.now(), {
    origin,
    claim,
    onlyReads,
  });
}
