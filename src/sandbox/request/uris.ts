import type { World } from '../world/world.ts';

/** Paths of resources, with IDs. */
export function accountPath(accountId: number): string {
  return `/restapi/v1.0/account/${accountId}`;
}

/** Returns the path of an extension, with IDs instead of `~`. */
export function extensionPath(extension: { readonly accountId: number; readonly id: number }): string {
  return `${accountPath(extension.accountId)}/extension/${extension.id}`;
}

/** Returns the path of a RingOut call in the dialect of the sandbox. */
export function ringOutPath(
  world: World,
  owner: { readonly accountId: number; readonly id: number },
  id: number,
): string {
  return `${extensionPath(owner)}/${world.dialect.ringoutPath}/${id}`;
}

/** Returns the path of a chat resource, such as `/webhooks`, in the dialect of the sandbox. */
export function chatPath(world: World, path: string): string {
  return world.dialect.chatPath + path;
}

/** Returns the address of an extension. */
export function extensionUri(
  world: World,
  extension: { readonly accountId: number; readonly id: number },
): string {
  return addressOf(world, extensionPath(extension));
}

/** Returns the address of media, which may be on another origin. */
export function mediaAddressOf(world: World, path: string): string {
  return world.mediaBaseUrl + path;
}

/** Returns the address of a path. Addresses are never stored, because the next start may use another port. */
export function addressOf(world: World, path: string): string {
  return (world.publicUrl ?? world.baseUrl) + path;
}
