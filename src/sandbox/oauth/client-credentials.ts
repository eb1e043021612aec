import { TokenError } from '../request/errors.ts';
import type { AccountRow } from '../directory/account-store.ts';
import type { App } from './app-store.ts';
import type { World } from '../world/world.ts';
import { requireFlow } from './client-app.ts';
import { issueAccess, type TokenLifetimes } from './tokens.ts';

interface ClientForm extends TokenLifetimes {
  readonly brand_id?: string | undefined;
  readonly account_id?: string | undefined;
  readonly partner_account_id?: string | undefined;
}

/**
 * A session of the application itself (OAUTH-28 to OAUTH-34): for signup, which needs only a brand, or for one account,
 * which the request identifies by its ID or partner ID. The session has no refresh token, and a signup session has no
 * owner.
 * @throws {TokenError} OAU-112 for an app that is not a trusted partner, CMN-101 without a valid brand, OAU-142 for an
 * unknown account.
 */
export function clientCredentials(world: World, app: App, form: ClientForm) {
  requireFlow(world, app, 'client');
  if (!form.brand_id) throw clientError('invalid_request', 'CMN-101', 'Parameter [brand_id] is missing');
  const accounts = world.accounts.all().filter(({ brandId }) => brandId === form.brand_id);
  if (accounts.length === 0)
    throw clientError('invalid_request', 'CMN-101', 'Parameter [brand_id] is unknown');
  const isSignup = form.account_id === undefined && form.partner_account_id === undefined;
  const account = isSignup ? undefined : accountOfForm(accounts, form);
  const extensionId = account?.administratorId ?? 0;
  const id = world.sessions.open({
    clientId: app.clientId,
    extensionId,
    endpointId: null,
    createdAt: world.clock.now(),
    kind: isSignup ? 'signup' : 'account',
  });
  return {
    ...issueAccess(world, id, form),
    scope: [...app.granted].join(' '),
    ...(account && { owner_id: String(extensionId) }),
  };
}

function accountOfForm(accounts: readonly AccountRow[], form: ClientForm): AccountRow {
  const found = accounts.find(
    (account) =>
      (form.account_id === undefined || form.account_id === String(account.id)) &&
      (form.partner_account_id === undefined || form.partner_account_id === account.partnerAccountId),
  );
  if (!found) throw clientError('invalid_grant', 'OAU-142', 'The account is unknown to this brand');
  return found;
}

function clientError(error: string, code: string, message: string): TokenError {
  return new TokenError(code === 'OAU-142' ? 401 : 400, error, code, message);
}
