import { TokenError } from '../request/errors.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import type { World } from '../world/world.ts';

/** What a person types to sign in. */
export interface Credentials {
  /** A number in E.164, also as `number*extension`, or an e-mail address. */
  readonly username: string;
  readonly extension: string | undefined;
  readonly password: string;
}

/**
 * Checks credentials (OAUTH-23 to OAUTH-26).
 * @throws {TokenError} OAU-140 wrong, OAU-141 the extension is not Enabled.
 */
export function signIn(world: World, credentials: Credentials): ExtensionRow {
  const found = findExtension(world, credentials);
  if (!found || found.password === null || found.password !== credentials.password) {
    throw new TokenError(401, 'invalid_grant', 'OAU-140', 'Invalid resource owner credentials');
  }
  return requireEnabled(found);
}

/** @throws {TokenError} OAU-141 for an extension that is not Enabled. */
export function requireEnabled(extension: ExtensionRow): ExtensionRow {
  if (extension.status === 'Enabled') return extension;
  throw new TokenError(401, 'invalid_grant', 'OAU-141', `The extension is ${extension.status}`);
}

function findExtension(world: World, credentials: Credentials): ExtensionRow | undefined {
  const [name = '', short] = credentials.username.trim().split('*', 2);
  // In `number*extension` the extension field is ignored (OAUTH-24).
  const extension = short ?? (credentials.extension?.trim() || undefined);
  if (name.includes('@')) {
    const found = world.extensions.byEmail(name);
    return extension === undefined || found?.extensionNumber === extension ? found : undefined;
  }
  const digits = name.replaceAll(/[ ().-]/g, '');
  const number = world.numbers.byNumber(digits.startsWith('+') ? digits : `+${digits}`);
  if (!number) return undefined;
  if (extension !== undefined) return world.extensions.byNumber(number.accountId, extension);
  if (number.extensionId !== null) return world.extensions.byId(number.extensionId);
  // The company's number alone means its main administrator.
  const account = world.accounts.byId(number.accountId);
  const isMain = account?.mainNumber === number.phoneNumber;
  return isMain && account.administratorId !== null
    ? world.extensions.byId(account.administratorId)
    : undefined;
}
