import type { Auth } from '../runtime/auth.ts';
import type { Settings } from '../runtime/settings.ts';

// A run with UCCTL_TOKEN has no session, so the sign-in code is not loaded for these names.

/** Returns the sender in the journal: the user of the session, or a mark of the token. */
export async function senderOf(settings: Settings, auth: () => Promise<Auth>): Promise<string> {
  const token = settings.token.value;
  if (token === undefined) return (await auth()).owner();
  const { tokenMark } = await import('../auth/budget-owner.ts');
  return tokenMark(token);
}

/** Returns the owner of the rate limits that apply to the requests of this run. */
export async function budgetOwner(
  settings: Settings,
  origin: string,
  auth: () => Promise<Auth>,
): Promise<string> {
  const token = settings.token.value;
  if (token === undefined) return (await auth()).budgetOwner();
  const { budgetOwnerOfToken } = await import('../auth/budget-owner.ts');
  return budgetOwnerOfToken(origin, token);
}
