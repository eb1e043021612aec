import { accountOf, extensionOf, type Handler } from '../request/call.ts';
import { listReply, pageOf } from '../request/paging.ts';
import type { ExtensionRow } from './extension-store.ts';
import { accountPath, extensionPath, extensionUri } from '../request/uris.ts';
import type { World } from '../world/world.ts';

/** GET account/{accountId}/extension. Every user may read the directory. */
export const listExtensions: Handler<'listExtensions'> = (call) => {
  const { world, query } = call;
  const account = accountOf(call);
  const page = pageOf(query);
  const { extensionNumber, email, status, type } = query;
  const filter = {
    ...(extensionNumber !== undefined && { extensionNumber }),
    ...(email && { email }),
    ...(status && { status }),
    ...(type && { type }),
  };
  const slice = world.extensions.list(account.id, filter, page.window);
  const path = `${accountPath(account.id)}/extension`;
  return { json: listReply(world, path, filter, page, slice, (row) => toExtension(world, row)) };
};

/** GET account/{accountId}/extension/{extensionId}. Every user may read the directory. */
export const readExtension: Handler<'readExtension'> = (call) => ({
  json: toExtension(call.world, extensionOf(call)),
});

function toExtension(world: World, row: ExtensionRow) {
  const uri = extensionUri(world, row);
  return {
    uri,
    id: row.id,
    ...(row.extensionNumber !== null && { extensionNumber: row.extensionNumber }),
    contact: {
      ...(row.firstName !== null && { firstName: row.firstName }),
      ...(row.lastName !== null && { lastName: row.lastName }),
      ...(row.email !== null && { email: row.email }),
    },
    name: row.name,
    type: row.type,
    status: row.status,
    ...(row.statusReason !== null && { statusInfo: { reason: row.statusReason } }),
    permissions: {
      admin: { enabled: row.admin === 1 },
      internationalCalling: { enabled: row.internationalCalling === 1 },
    },
    profileImage: { uri: `${world.mediaBaseUrl}${extensionPath(row)}/profile-image/content/${row.id}` },
  };
}
