import { OutcomeJournal, type Owner } from '../../features/outcome-journal/index.ts';
import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { ucctl } from '../../errors/hint.ts';

/** The outcome journal, and the profile and origin whose entries the command may show. */
export function openJournal(ctx: Context): { readonly journal: OutcomeJournal; readonly owner: Owner } {
  const { baseUrl, profile } = ctx.settings;
  if (baseUrl.value === undefined) throw usageError('no base URL is set', ucctl('login --base-url URL'));
  const owner = { profile: profile.value, origin: new URL(baseUrl.value).origin };
  return { journal: OutcomeJournal.open(ctx.paths.state), owner };
}
