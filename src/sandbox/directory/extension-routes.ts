import { mainSiteId } from './detail-store.ts';
import { dialects } from '../../contract/dialects.ts';
import { accountOf, extensionOf, type Handler } from '../request/call.ts';
import { listReply, pageOf } from '../request/paging.ts';
import type { ExtensionRow } from './extension-store.ts';
import { accountPath, extensionPath, extensionUri, mediaAddressOf } from '../request/uris.ts';
import type { World } from '../world/world.ts';

/** Serves GET account/{accountId}/extension. Every user may read the directory. */
export const listExtensions: Handler<'listExtensions'> = (call) => {
  const { world, query } = call;
  const account = accountOf(call);
  const page = pageOf(query);
  const { extensionNumber, email, status, type } = query;
  const filters = {
    ...(extensionNumber !== undefined && { extensionNumber }),
    ...(email && { email }),
    ...(status && { status }),
    ...(type && { type }),
  };
  const stored = type && { type: type.map((name) => storedType(world, name)) };
  const slice = world.extensions.list(account.id, { ...filters, ...stored }, page.window);
  const path = `${accountPath(account.id)}/extension`;
  const detailsOf = world.details.ofAll(slice.rows);
  const toItem = (row: ExtensionRow) => {
    const { statusInfo, ...item } = toExtension(world, row, detailsOf(row.id));
    // Dialect `current` shows the reason of a status only in the reply for one extension (OPERATION-54).
    return world.dialectName === 'current' ? item : { ...item, ...(statusInfo && { statusInfo }) };
  };
  return { json: listReply({ world, path, filters, page }, slice, toItem) };
};

/** Serves GET account/{accountId}/extension/{extensionId}. Every user may read the directory. */
export const readExtension: Handler<'readExtension'> = (call) => ({
  json: toExtension(call.world, extensionOf(call)),
});

/**
 * Returns the stored type, which uses the names of dialect `spec`. A name of the other dialect matches no extension.
 */
export function storedType(world: World, name: string): string {
  const { voicemailExtensionType: own } = world.dialect;
  const names = Object.values(dialects).map(({ voicemailExtensionType }): string => voicemailExtensionType);
  if (name === own) return dialects.spec.voicemailExtensionType;
  return names.includes(name) ? '' : name;
}

/** Returns the statusInfo of an extension; nothing if the extension has neither a reason nor a comment. */
function statusInfoOf({ statusComment: comment, statusReason: reason }: ExtensionRow) {
  const statusInfo = withoutNulls({ comment, reason });
  return Object.keys(statusInfo).length > 0 && { statusInfo };
}

/** Returns an extension in the format of the service. */
export function toExtension(world: World, row: ExtensionRow, details = world.details.of(row.id)) {
  const uri = extensionUri(world, row);
  const { company, jobTitle, department, businessPhone, mobilePhone } = details;
  const site = world.dialectName === 'current' ? world.details.site(details.siteId ?? mainSiteId) : undefined;
  return {
    uri,
    id: row.id,
    ...(row.extensionNumber !== null && { extensionNumber: row.extensionNumber }),
    contact: {
      ...(row.firstName !== null && { firstName: row.firstName }),
      ...(row.lastName !== null && { lastName: row.lastName }),
      ...(row.email !== null && { email: row.email }),
      ...withoutNulls({ company, jobTitle, department, businessPhone, mobilePhone }),
    },
    name: row.name,
    type: row.type === dialects.spec.voicemailExtensionType ? world.dialect.voicemailExtensionType : row.type,
    status: row.status,
    ...statusInfoOf(row),
    permissions: {
      admin: { enabled: row.admin === 1 },
      internationalCalling: { enabled: row.internationalCalling === 1 },
    },
    profileImage: { uri: mediaAddressOf(world, `${extensionPath(row)}/profile-image/content/${row.id}`) },
    ...(site && { site: { id: site.id, name: site.name } }),
  };
}

/** Returns the members with a value. */
function withoutNulls(members: Readonly<Record<string, string | null>>): Readonly<Record<string, string>> {
  const present: Record<string, string> = {};
  for (const name in members) {
    const value = members[name];
    if (typeof value === 'string') present[name] = value;
  }
  return present;
}
