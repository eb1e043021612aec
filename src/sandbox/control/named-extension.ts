import type { ExtensionRow } from '../directory/extension-store.ts';
import type { World } from '../world/world.ts';
import { controlNotFound } from './control-error.ts';

/** @throws {ControlError} for an unknown ID, such as an extension number. */
export function extensionOf(world: World, id: number | string): ExtensionRow {
  return world.extensions.byId(Number(id)) ?? controlNotFound(`extension with the ID ${id}`);
}

/** @throws {ControlError} for an ID that is not the ID of a call queue. */
export function queueOf(world: World, id: number | string): ExtensionRow {
  const extension = extensionOf(world, id);
  return extension.type === 'Department' ? extension : controlNotFound(`call queue with the ID ${id}`);
}
