import { z } from 'zod';
import { subscriptionStatuses, transportTypes } from './enums.ts';
import { Id, listOf, openEnum, Timestamp } from './common.ts';

const DeliveryMode = z.strictObject({
  transportType: openEnum(transportTypes),
  /** Absent for a WebSocket, whose subscription has only the member `transportType`. */
  address: z.string().optional(),
  encryption: z.boolean().optional(),
  encryptionAlgorithm: openEnum(['None', 'AES']).optional(),
  encryptionKey: z.string().optional(),
  subscriberKey: z.string().optional(),
  secretKey: z.string().optional(),
});

/** A subscription to notifications (SUBSCRIPTION-10 to SUBSCRIPTION-19). */
export const Subscription = z.strictObject({
  id: z.string(),
  uri: z.url(),
  eventFilters: z.array(z.string()),
  deliveryMode: DeliveryMode,
  expirationTime: Timestamp,
  expiresIn: z.int().optional(),
  creationTime: Timestamp,
  status: openEnum(subscriptionStatuses),
  blacklistedData: z
    .strictObject({ blacklistedAt: Timestamp.optional(), reason: z.string().optional() })
    .optional(),
  disabledFilters: z
    .array(z.strictObject({ filter: z.string(), reason: z.string(), message: z.string().optional() }))
    .optional(),
});
export type Subscription = z.infer<typeof Subscription>;
/** A subscription as the sandbox sends it. */
export const CompleteSubscription = Subscription.extend({
  blacklistedData: z.strictObject({ blacklistedAt: Timestamp, reason: z.string() }).optional(),
  disabledFilters: z
    .array(z.strictObject({ filter: z.string(), reason: z.string(), message: z.string() }))
    .optional(),
});
export const SubscriptionList = listOf(CompleteSubscription);

export const SubscriptionRequest = z.object({
  eventFilters: z.array(z.string()).min(1),
  deliveryMode: z.object({
    transportType: z.enum(transportTypes),
    address: z.string().optional(),
    encryption: z.boolean().optional(),
    verificationToken: z.string().optional(),
    /** Alias of `verificationToken`. */
    validationToken: z.string().optional(),
  }),
  /** Requested lifetime of the subscription in seconds. */
  expiresIn: z.int().positive().optional(),
});
export type SubscriptionRequest = z.infer<typeof SubscriptionRequest>;

/** Body of a PUT. An empty body only renews the subscription. */
export const SubscriptionUpdate = z.object({
  eventFilters: z.array(z.string()).min(1).optional(),
  expiresIn: z.int().positive().optional(),
});
export type SubscriptionUpdate = z.infer<typeof SubscriptionUpdate>;

/** Reply of the hosted channel: the next time token, and the published messages (CHANNEL-2). */
export const ChannelReply = z.strictObject({
  t: z.strictObject({ t: z.string().regex(/^\d{17}$/), r: z.int() }),
  m: z.array(
    z.strictObject({
      c: z.string(),
      /** A notification, or the base64 of its encryption. */
      d: z.union([z.string(), z.record(z.string(), z.unknown())]),
      p: z.strictObject({ t: z.string(), r: z.int() }),
    }),
  ),
});
export type ChannelReply = z.infer<typeof ChannelReply>;
/** Position from which to continue: 0 for the newest message, otherwise the `t` of the previous reply. */
export const ChannelQuery = z.object({
  tt: z
    .string()
    .regex(/^\d{1,17}$/)
    .optional(),
});

/** The newest time token as a number of 17 digits, which is larger than a safe integer (CHANNEL-5). */
export const ChannelTime = z.tuple([Id]);
/** Reply to a client that leaves a channel (CHANNEL-6). */
export const ChannelLeft = z.strictObject({
  status: z.int(),
  message: z.string(),
  action: z.string(),
  service: z.string(),
});

/** A notification (EVENT-1). `body` depends on the event and may be missing. */
export const Notification = z.strictObject({
  uuid: z.string(),
  event: z.string(),
  timestamp: z.string(),
  subscriptionId: z.string().optional(),
  ownerId: Id.optional(),
  body: z.record(z.string(), z.unknown()).optional(),
});
export type Notification = z.infer<typeof Notification>;
