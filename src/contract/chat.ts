import { z } from 'zod';
import { chatWebhookStatuses } from './enums.ts';
import { listOf, openEnum, Timestamp } from './common.ts';

/** A chat webhook (CHAT-3). `uri` is a credential: anyone who has it can post. */
export const ChatWebhook = z.strictObject({
  id: z.string(),
  creatorId: z.string(),
  groupIds: z.array(z.string()),
  creationTime: Timestamp,
  lastModifiedTime: Timestamp,
  uri: z.url(),
  status: openEnum(chatWebhookStatuses),
});
export type ChatWebhook = z.infer<typeof ChatWebhook>;
export const ChatWebhookList = listOf(ChatWebhook);

const CardField = z.object({ title: z.string(), value: z.string(), short: z.boolean().optional() });

/** A card attached to a post (CHAT-10). */
export const ChatCard = z.object({
  type: z.literal('Card'),
  color: z.string().optional(),
  pretext: z.string().optional(),
  author_name: z.string().optional(),
  author_link: z.string().optional(),
  author_icon: z.string().optional(),
  title: z.string().optional(),
  title_link: z.string().optional(),
  fields: z.array(CardField).optional(),
  text: z.string().optional(),
  image_url: z.string().optional(),
  footer: z.string().optional(),
  footer_icon: z.string().optional(),
  /** Time of the card in seconds since 1970. */
  ts: z.int().optional(),
});
export type ChatCard = z.infer<typeof ChatCard>;

/** An attachment of type event or note, whose members are not specified. */
const OtherAttachment = z.looseObject({
  type: z.string().refine((type) => type !== 'Card', { abort: true }),
});

/** A post to a chat webhook (CHAT-6 to CHAT-9, CHAT-13). */
export const ChatPost = z.object({
  icon: z.string().optional(),
  title: z.string().optional(),
  body: z.string().optional(),
  /** Main text, like `body`; only in dialect `current` (CHAT-13). */
  text: z.string().optional(),
  attachments: z.array(z.union([ChatCard, OtherAttachment])).optional(),
});
export type ChatPost = z.infer<typeof ChatPost>;
/** A post in dialect `spec`. */
export const SpecChatPost: z.ZodType<ChatPost> = ChatPost.omit({ text: true });

/** The reply to a post: undocumented, but read by public client libraries (docs/adr/0097-receipt-of-a-chat-post.md). */
export const ChatPostReceipt = z.strictObject({ status: z.literal('OK') });
