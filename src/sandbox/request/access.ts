import { accountOf, extensionOf, type Authorized, type Guard } from './call.ts';
import { userNotAllowed } from './errors.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';

/** Whether an extension has the rights of an administrator. */
export function isAdministrator(extension: ExtensionRow): boolean {
  return extension.admin === 1;
}

/**
 * Returns the extension of the path, if the signed-in user may read its data. Users may read data of their own
 * extension; administrators may read data of all extensions.
 * @throws {ServiceError} CMN-419 otherwise.
 */
export function readableExtension(call: Authorized): ExtensionRow {
  const extension = extensionOf(call);
  const { caller } = call;
  if (extension.id === caller.extension.id || isAdministrator(caller.extension)) return extension;
  throw userNotAllowed('CMN-419', 'Access to another extension requires extended scope');
}

/**
 * Returns the extension of the path, which must be the caller's own.
 * @throws {ServiceError} CMN-404 otherwise.
 */
export function ownExtension(call: Authorized): ExtensionRow {
  const extension = extensionOf(call);
  if (extension.id === call.caller.extension.id) return extension;
  throw userNotAllowed('CMN-404', 'Users may access only their own extension');
}

/**
 * Requires an administrator of the account of the path, before the body is read.
 * @throws {ServiceError} CMN-402 for any other caller; the errors of `accountOf` for another account.
 */
export const requireAdministrator: Guard = (call) => {
  accountOf(call);
  if (isAdministrator(call.caller.extension)) return;
  throw userNotAllowed('CMN-402', 'The operation requires an administrator');
};
