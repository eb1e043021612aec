import { openSendJournal, type Owner, type SendJournal } from '../../features/outcome-journal/index.ts';
import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { ucctl } from '../../errors/hint.ts';

/**
 * Opens the outcome journal, with the profile and origin whose entries the command may show.
 * @param purpose as for `openSendJournal`
 */
export async function openJournal(
  ctx: Context,
  purpose: 'send' | 'read',
): Promise<{ readonly journal: SendJournal; readonly owner: Owner }> {
  const { baseUrl, profile } = ctx.settings;
  if (baseUrl.value === undefined) throw usageError('no base URL is set', ucctl('login --base-url URL'));
  const owner = { profile: profile.value, origin: new URL(baseUrl.value).origin };
  return { journal: await openSendJournal(ctx, purpose), owner };
}
