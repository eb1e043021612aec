import type { ExtensionRow } from '../directory/extension-store.ts';
import { userOfToken } from '../server/authorize-call.ts';
import type { World } from '../world/world.ts';
import type { FaultRequest } from './fault-request.ts';
import { findExtension } from './users.ts';

/** Returns a fault whose extension has the name that the list of faults shows. @throws {ControlError} 404. */
export function withExtension(world: World, fault: FaultRequest): FaultRequest {
  if (fault.extension === undefined) return fault;
  return { ...fault, extension: nameOf(findExtension(world, fault.extension)) };
}

/** Returns the extensions in the path of a request. `~` is the user of the token. */
export function extensionsOfPath(
  world: World,
  headers: Headers,
  url: URL,
  ids: string | undefined,
): readonly string[] {
  if (ids === undefined) return [];
  return ids.split(',').flatMap((id) => {
    const extension = id === '~' ? userOfToken(world, headers, url) : world.extensions.byId(Number(id));
    return extension ? [nameOf(extension)] : [];
  });
}

/** Returns the number of an extension or, without a number, its ID. */
function nameOf({ id, extensionNumber }: ExtensionRow): string {
  return extensionNumber ?? String(id);
}
