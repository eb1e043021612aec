import { TokenError } from '../request/errors.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import type { World } from '../world/world.ts';

/** The fields of the sign-in form. */
export interface Credentials {
  /** A number in E.164, also as `number*extension`, or an e-mail address. */
  readonly username: string;
  readonly extension: string | undefined;
  readonly password: string;
}

/**
 * Checks credentials (OAUTH-23 to OAUTH-26).
 * @throws {TokenError} OAU-140 for invalid credentials, OAU-141 for an extension that is not Enabled.
 */
export function signIn(world: World, credentials: Credentials): ExtensionRow {
  const found = findExtension(world, credentials);
  if (!found || found.password === null || found.password !== credentials.password) {
    throw new TokenError(401, 'invalid_grant', 'OAU-140', 'Invalid resource owner credentials');
  }
  return requireEnabled(found);
}

/** Checks the status of an extension. @throws {TokenError} OAU-141 for an extension that is not Enabled. */
export function requireEnabled(extension: ExtensionRow): ExtensionRow {
  if (extension.status === 'Enabled') return extension;
  throw new TokenError(401, 'invalid_grant', 'OAU-141', `The extension is ${extension.status}`);
}

function findExtension(world: World, credentials: Credentials): ExtensionRow | undefined {
  const [name = '', suffix] = credentials.username.trim().split('*', 2);
  // With `number*extension`, the extension field is ignored (OAUTH-24).
  const extension = suffix ?? (credentials.extension?.trim() || undefined);
  return name.includes('@') ? findByEmail(world, name, extension) : findByNumber(world, name, extension);
}

function findByEmail(world: World, email: string, extension: string | undefined): ExtensionRow | undefined {
  const found = world.extensions.byEmail(email);
  return extension === undefined || found?.extensionNumber === extension ? found : undefined;
}

function findByNumber(world: World, name: string, extension: string | undefined): ExtensionRow | undefined {
  const digits = name.replaceAll(/[ ().-]/g, '');
  const number = world.numbers.byNumber(digits.startsWith('+') ? digits : `+${digits}`);
  if (!number) return undefined;
  if (extension !== undefined) return world.extensions.byNumber(number.accountId, extension);
  if (number.extensionId !== null) return world.extensions.byId(number.extensionId);
  // The company number without an extension signs in the main administrator.
  const account = world.accounts.byId(number.accountId);
  const isMain = account?.mainNumber === number.phoneNumber;
  return isMain && account.administratorId !== null
    ? world.extensions.byId(account.administratorId)
    : undefined;
}
