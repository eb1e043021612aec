import type { Client } from '../../../client/index.ts';
import { ApiError } from '../../../errors/service.ts';
import type { Context } from '../../../runtime/context.ts';
import { storeFailure } from '../copy-failure.ts';
import { OtherAccountError } from '../other-account.ts';
import { boundAccount } from './account.ts';

/** The user of a sign-in, as far as the service names the user. */
export interface SignInUser {
  readonly account: string | undefined;
  readonly extension: string | undefined;
}

/**
 * Checks that a sign-in belongs to the account of the archive, if the archive is bound to an account and the service names
 * the account of the sign-in.
 * @param user reads the user of the sign-in
 * @throws {CommandError} `other_account` (exit 11). @throws the errors of a request, except rejections by the service.
 */
export async function requireArchiveAccount(
  ctx: Pick<Context, 'store' | 'signal'>,
  api: Pick<Client, 'extensions'>,
  user = (): Promise<SignInUser | undefined> => signInUser(api, ctx.signal),
): Promise<void> {
  const bound = await boundAccount(await ctx.store());
  if (bound === undefined) return;
  const account = (await user())?.account;
  if (account !== undefined && account !== bound)
    throw storeFailure(new OtherAccountError(bound, account)) as Error;
}

/** Reads the user of a sign-in; undefined if the service rejects the request. @throws the other errors of a request. */
export async function signInUser(
  api: Pick<Client, 'extensions'>,
  signal: AbortSignal,
): Promise<SignInUser | undefined> {
  try {
    const { uri, id } = await api.extensions.get('~', { signal });
    return { account: /\/account\/(\d+)\//.exec(uri ?? '')?.[1], extension: String(id) };
  } catch (error) {
    // The sign-in of an app has no extension.
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
