import { z } from 'zod';
import { availabilities, directions, messageTypes, readStatuses, syncTypes } from './enums.ts';
import { Count, Digits, Flag, Id, multi, openEnum, Timestamp } from './common.ts';
import { CompleteMessage, Message } from './message.ts';
import { OwnerFilters, Owners } from './message-owner.ts';

/** Body of a PUT, which marks messages as read or unread (MESSAGE-46). */
export const MessageUpdate = z.object({ readStatus: z.enum(readStatuses) });
export type MessageUpdate = z.infer<typeof MessageUpdate>;

/** Body of a PATCH, which restores deleted messages or marks messages (MESSAGE-47). */
export const MessagePatch = z.object({
  /** Dialect `spec` has only `Alive` (MESSAGE-47). */
  availability: z.enum(availabilities).optional(),
  readStatus: z.enum(readStatuses).optional(),
});
export type MessagePatch = z.infer<typeof MessagePatch>;

/** Query of a message. The service returns only Alive messages unless the request names other states (MESSAGE-30). */
export const MessageReadQuery = z.object({ availability: multi(z.enum(availabilities)) });
/** The query of a message in dialect `current` (CURRENT-18). */
export const NoQuery = z.object({});
export const MessageDeleteQuery = z.object({ purge: Flag.optional(), type: z.string().optional() });
export const MailboxDeleteQuery = z.object({
  conversationId: multi(Digits),
  dateTo: z.string().optional(),
  type: z.enum([...messageTypes, 'Text', 'All']).optional(),
  purge: Flag.optional(),
  /** Dialect `current` only (CURRENT-17). */
  owner: Owners,
});

const syncRecords = 10_000;

export const SyncQuery = z.object({
  /** Required in dialect `spec` (SYNC-1). */
  syncType: z.enum(syncTypes).optional(),
  syncToken: z.string().optional(),
  messageType: multi(z.enum([...messageTypes, 'Text'])),
  direction: multi(z.enum(directions)),
  conversationId: Digits.optional(),
  distinctConversations: Flag.optional(),
  ...OwnerFilters.shape,
  dateFrom: z.string().optional(),
  dateTo: z.string().optional(),
  /** A value above the maximum is reduced, as for pages. */
  recordCount: Count.transform((count) => Math.min(count, syncRecords)).optional(),
});
export type SyncQuery = z.infer<typeof SyncQuery>;
/** The query in dialect `current`, which has no type Text (CURRENT-18). */
export const CurrentSyncQuery = SyncQuery.extend({ messageType: multi(z.enum(messageTypes)) });

/** A deleted or purged message in an incremental sync, which has only its ID and availability (SYNC-12). */
const MessageTombstone = z.strictObject({ id: Id, availability: openEnum(availabilities) });

/** The token and time of a sync (SYNC-9). */
export const SyncInfo = z.strictObject({
  syncType: openEnum(syncTypes).optional(),
  syncToken: z.string(),
  syncTime: Timestamp.optional(),
  olderRecordsExist: z.boolean().optional(),
});
export type SyncInfo = z.infer<typeof SyncInfo>;

export const SyncReply = z.strictObject({
  uri: z.url().optional(),
  records: z.array(Message),
  syncInfo: SyncInfo,
});
export type SyncReply = z.infer<typeof SyncReply>;
/** The reply to a sync as the sandbox sends it. */
export const CompleteSyncReply = SyncReply.required({ uri: true }).extend({
  records: z.array(z.union([CompleteMessage, MessageTombstone])),
  syncInfo: SyncInfo.required({ syncType: true, syncTime: true }),
});
