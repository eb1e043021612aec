import type { OwnerFilters } from '../../contract/message-owner.ts';
import { storedType } from '../directory/extension-routes.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import type { MessageOwners } from './owner-condition.ts';
import type { World } from '../world/world.ts';

/**
 * Returns the extensions whose messages are requested, among the user and the queues of the user (CURRENT-17). Undefined
 * if the request does not specify them.
 */
export function ownersOf(
  { dialect, departments }: World,
  { id }: ExtensionRow,
  owner: OwnerFilters['owner'],
): readonly number[] | undefined {
  if (owner === undefined || dialect.syncOwner === undefined) return undefined;
  const selects = (one: number): boolean =>
    owner.some(
      (name) => name === 'Any' || name === (one === id ? 'Personal' : 'Shared') || name === String(one),
    );
  return [id, ...departments.of(id)].filter(selects);
}

/** Returns the owners that a request for the messages of a mailbox selects. */
export function requestedOwners(world: World, mailbox: ExtensionRow, query: OwnerFilters): MessageOwners {
  const owners = ownersOf(world, mailbox, query.owner);
  const voicemailOwners = ownersOf(world, mailbox, query.voicemailOwner);
  return ofTypes(world, mailbox, { owners, voicemailOwners }, query.ownerExtensionType);
}

/** Returns the owners whose extensions have one of these types (CURRENT-20). */
export function ofTypes(
  world: World,
  mailbox: ExtensionRow,
  { owners, voicemailOwners }: MessageOwners,
  types: OwnerFilters['ownerExtensionType'],
): MessageOwners {
  if (types === undefined || world.dialect.syncOwner === undefined) return { owners, voicemailOwners };
  const stored = new Set(types.map((name) => storedType(world, name)));
  const isOfType = (id: number): boolean => stored.has(world.extensions.byId(id)?.type ?? '');
  return {
    owners: (owners ?? [mailbox.id]).filter(isOfType),
    voicemailOwners: voicemailOwners?.filter(isOfType),
  };
}
