import type { ExtensionRow } from '../directory/extension-store.ts';
import type { Reply } from '../request/call.ts';
import { listReply, type Page } from '../request/paging.ts';
import { extensionUri } from '../request/uris.ts';
import type { World } from '../world/world.ts';

/** Returns the members of a queue, for the older and the newer path. */
export function membersReply(world: World, queue: Pick<ExtensionRow, 'id'>, path: string, page: Page): Reply {
  const slice = world.departments.members(queue.id, page.window);
  const json = listReply({ world, path, page }, slice, (row) => ({
    uri: extensionUri(world, row),
    id: row.id,
    ...(row.extensionNumber !== null && { extensionNumber: row.extensionNumber }),
  }));
  return { json };
}
