import type { Auth } from '../runtime/auth.ts';
import type { Settings } from '../runtime/settings.ts';

// A run with a token of its own needs nothing of a session, and does not load the sign-in code for these names.

/** Who sends, for the journal: the user of the session, or a mark of the token. */
export async function senderOf(settings: Settings, auth: () => Promise<Auth>): Promise<string> {
  const token = settings.token.value;
  if (token === undefined) return (await auth()).owner();
  const { tokenMark } = await import('../auth/budget-owner.ts');
  return tokenMark(token);
}

/** Whose rate limits the requests use up. */
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
