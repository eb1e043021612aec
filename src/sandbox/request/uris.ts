import type { World } from '../world/world.ts';

/** Paths of resources, with ids. */
export function accountPath(accountId: number): string {
  return `/restapi/v1.0/account/${accountId}`;
}

/** Path of an extension, with ids. */
export function extensionPath(extension: { readonly accountId: number; readonly id: number }): string {
  return `${accountPath(extension.accountId)}/extension/${extension.id}`;
}

/** Addresses of resources. Never stored: the sandbox may come back on another port. */
export function extensionUri(
  world: World,
  extension: { readonly accountId: number; readonly id: number },
): string {
  return world.baseUrl + extensionPath(extension);
}
