import { z } from 'zod';
import { Digits, multi } from './common.ts';
import { extensionTypes, messageOwners } from './enums.ts';

/**
 * Whose messages a request selects: the user's own messages (`Personal`, the default), the messages of the user's queues
 * (`Shared`), both (`Any`), or the messages of the extensions with these IDs; dialect `current` only (CURRENT-17).
 */
export const Owners = multi(z.union([z.enum(messageOwners), Digits]));

/** Filters of lists and syncs by the owner of a message; dialect `current` only. */
export const OwnerFilters = z.object({
  owner: Owners,
  /** Whose voicemails the reply contains, if `owner` does not apply to them (CURRENT-19). */
  voicemailOwner: Owners,
  /** Types of the extensions that own the messages (CURRENT-20). */
  ownerExtensionType: multi(z.enum(extensionTypes)),
});
export type OwnerFilters = z.infer<typeof OwnerFilters>;
