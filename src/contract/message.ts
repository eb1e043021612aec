import { z } from 'zod';
import {
  attachmentTypes,
  availabilities,
  directions,
  messageStatuses,
  messageTypes,
  priorities,
  readStatuses,
  transcriptionStatuses,
} from './enums.ts';
import { OwnerFilters } from './message-owner.ts';
import {
  countryCode,
  Digits,
  e164,
  Flag,
  Id,
  listOf,
  multi,
  openEnum,
  PageQuery,
  Timestamp,
} from './common.ts';

/** The sender or a recipient of a message (MESSAGE-20). */
export const Party = z.strictObject({
  phoneNumber: z.string().optional(),
  extensionNumber: z.string().optional(),
  extensionId: z.string().optional(),
  name: z.string().optional(),
  location: z.string().optional(),
  target: z.boolean().optional(),
  recipientId: Id.optional(),
  messageStatus: openEnum(messageStatuses).optional(),
  faxErrorCode: z.string().optional(),
  contact: z.strictObject({ name: z.string().optional() }).optional(),
});
export type Party = z.infer<typeof Party>;

export const Attachment = z.strictObject({
  id: Id.optional(),
  uri: z.url().optional(),
  type: openEnum(attachmentTypes).optional(),
  contentType: z.string().optional(),
  vmDuration: z.int().optional(),
  fileName: z.string().optional(),
  size: z.int().optional(),
  width: z.int().optional(),
  height: z.int().optional(),
});
export type Attachment = z.infer<typeof Attachment>;
/** An attachment as the sandbox sends it. */
export const CompleteAttachment = Attachment.required({ id: true, uri: true, contentType: true });

/** A message of the message store (MESSAGE-1 to MESSAGE-23). */
export const Message = z.strictObject({
  uri: z.url().optional(),
  id: Id,
  extensionId: z.string().optional(),
  to: z.array(Party),
  from: Party,
  type: openEnum(messageTypes).optional(),
  creationTime: Timestamp.optional(),
  lastModifiedTime: Timestamp.optional(),
  readStatus: openEnum(readStatuses).optional(),
  priority: openEnum(priorities).optional(),
  attachments: z.array(Attachment),
  direction: openEnum(directions).optional(),
  availability: openEnum(availabilities).optional(),
  subject: z.string().optional(),
  messageStatus: openEnum(messageStatuses).optional(),
  conversationId: Id.optional(),
  conversation: z.strictObject({ id: z.string().optional(), uri: z.url().optional() }).optional(),
  smsDeliveryTime: Timestamp.optional(),
  smsSendingAttemptsCount: z.int().optional(),
  deliveryErrorCode: z.string().optional(),
  segmentCount: z.int().optional(),
  faxResolution: openEnum(['High', 'Low']).optional(),
  faxPageCount: z.int().optional(),
  coverIndex: z.int().optional(),
  coverPageText: z.string().optional(),
  vmTranscriptionStatus: openEnum(transcriptionStatuses).optional(),
  pgToDepartment: z.boolean().optional(),
  vmSideRecipients: z.array(Party).optional(),
});
export type Message = z.infer<typeof Message>;
/** A message as the sandbox sends it: with all members that the specification lists for every message. */
export const CompleteMessage = Message.required({
  uri: true,
  type: true,
  creationTime: true,
  lastModifiedTime: true,
  readStatus: true,
  priority: true,
  direction: true,
  availability: true,
  messageStatus: true,
}).extend({
  attachments: z.array(CompleteAttachment),
  conversation: z.strictObject({ id: z.string(), uri: z.url() }).optional(),
});
export const MessageList = listOf(CompleteMessage);

export const MessageQuery = PageQuery.extend({
  availability: multi(z.enum(availabilities)),
  conversationId: Digits.optional(),
  dateFrom: z.string().optional(),
  dateTo: z.string().optional(),
  direction: multi(z.enum(directions)),
  distinctConversations: Flag.optional(),
  messageType: multi(z.enum([...messageTypes, 'Text'])),
  readStatus: multi(z.enum(readStatuses)),
  phoneNumber: z.string().optional(),
  ...OwnerFilters.shape,
});
/** The query in dialect `current`, which has no type Text (CURRENT-18). */
export const CurrentMessageQuery = MessageQuery.extend({ messageType: multi(z.enum(messageTypes)) });
/** Filters of the message list (MESSAGE-41 to MESSAGE-45); dates are ISO 8601. */
export interface MessageFilter {
  readonly availability?: readonly string[];
  readonly conversationId?: string;
  readonly dateFrom?: string;
  readonly dateTo?: string;
  readonly direction?: readonly string[];
  readonly distinctConversations?: boolean;
  readonly messageType?: readonly string[];
  readonly readStatus?: readonly string[];
  readonly phoneNumber?: string;
}

/** A request to send a text (SMS-1, SMS-3). The route checks the length of the text (SMS-8). */
export const SmsRequest = z.object({
  from: z.object({ phoneNumber: e164 }),
  to: z.array(z.object({ phoneNumber: e164 })).min(1),
  text: z.string(),
  /** Country of the recipients. */
  country: z.object({ id: z.string().optional(), isoCode: countryCode.optional() }).optional(),
});
export type SmsRequest = z.infer<typeof SmsRequest>;
