import { z } from 'zod';
import { Digits, Flag, listOf, multi, openEnum, PageQuery } from './common.ts';
import { alertTimers, extensionStatuses, queueStatuses } from './enums.ts';
import { CompletePresence } from './presence.ts';

/** A call queue in a list (CURRENT-7, OPERATION-1). Its ID is a string of digits. */
export const CallQueue = z.strictObject({
  uri: z.url().optional(),
  id: z.string(),
  extensionNumber: z.string().optional(),
  name: z.string().optional(),
  status: openEnum(extensionStatuses).optional(),
});
export type CallQueue = z.infer<typeof CallQueue>;
/** Members that the sandbox sends for each queue. */
const completeQueue = { uri: true, name: true, status: true } as const;
export const CallQueueList = listOf(CallQueue.required(completeQueue));
export const CallQueueQuery = PageQuery.extend({ memberExtensionId: Digits.optional() });

/** The settings of the service level of a queue (OPERATION-3). */
const ServiceLevelSettings = z.strictObject({
  slaGoal: z.int().optional(),
  slaThresholdSeconds: z.int().optional(),
  includeAbandonedCalls: z.boolean().optional(),
  abandonedThresholdSeconds: z.int().optional(),
});

/** A call queue with its settings (OPERATION-2). */
export const CallQueueInfo = z.strictObject({
  ...CallQueue.shape,
  serviceLevelSettings: ServiceLevelSettings.optional(),
  editableMemberStatus: z.boolean().optional(),
  alertTimer: z.int().optional(),
});
export type CallQueueInfo = z.infer<typeof CallQueueInfo>;
/** A call queue with its settings as the sandbox sends it. */
export const CompleteCallQueueInfo = CallQueueInfo.required(completeQueue);

/** Changed settings of a queue; members that are absent stay unchanged (OPERATION-3). */
export const CallQueueUpdate = z.object({
  extensionNumber: z
    .string()
    .regex(/^\d{1,8}$/)
    .optional(),
  name: z.string().min(1).max(129).optional(),
  status: z.enum(queueStatuses).optional(),
  serviceLevelSettings: ServiceLevelSettings.optional(),
  editableMemberStatus: z.boolean().optional(),
  alertTimer: z.literal(alertTimers).optional(),
});
export type CallQueueUpdate = Partial<z.infer<typeof CallQueueUpdate>>;

/** A new call queue: the part of the creation of extensions that ucctl uses (OPERATION-55). */
export const CallQueueCreation = z.object({
  type: z.literal('Department'),
  name: z.string().min(1).max(129).optional(),
  contact: z.object({ firstName: z.string().max(64), email: z.string().max(254) }).optional(),
  extensionNumber: z.string().regex(/^\d{1,8}$/),
  status: z.enum(extensionStatuses).optional(),
});
export type CallQueueCreation = Omit<z.infer<typeof CallQueueCreation>, 'type'>;

/** Changes of the members of one queue (OPERATION-5). */
export const CallQueueAssignment = z.object({
  addedExtensionIds: z.array(z.string()).readonly().optional(),
  removedExtensionIds: z.array(z.string()).readonly().optional(),
});
export type CallQueueAssignment = z.infer<typeof CallQueueAssignment>;

/** All queues of a user, in place of the present ones (CURRENT-8, OPERATION-6). */
export const MemberQueuesUpdate = z.object({
  records: z.array(z.object({ id: z.string(), name: z.string().optional() })),
});
export const MemberQueues = z.strictObject({
  records: z.array(z.strictObject({ id: z.string(), name: z.string() })),
});

/** Whether one member of a queue accepts calls of the queue (OPERATION-8). */
export const QueueMemberPresence = z.strictObject({
  member: z.strictObject({
    id: z.string(),
    name: z.string().optional(),
    extensionNumber: z.string().optional(),
  }),
  acceptQueueCalls: z.boolean().optional(),
  acceptCurrentQueueCalls: z.boolean().optional(),
});
export type QueueMemberPresence = z.infer<typeof QueueMemberPresence>;
export const QueuePresence = z.strictObject({ records: z.array(QueueMemberPresence) });
/** The members whose availability changes (OPERATION-9). */
export const QueuePresenceUpdate = z.object({
  records: z.array(
    z.object({
      member: z.object({ id: z.string() }),
      acceptCurrentQueueCalls: z.boolean(),
    }),
  ),
});

/** Whether a member accepts calls of one queue (OPERATION-10). */
export const MemberQueuePresence = z.strictObject({
  callQueue: z.strictObject({
    id: z.string(),
    name: z.string().optional(),
    extensionNumber: z.string().optional(),
    editableMemberStatus: z.boolean().optional(),
  }),
  acceptCalls: z.boolean().optional(),
});
export type MemberQueuePresence = z.infer<typeof MemberQueuePresence>;
export const ExtensionQueuePresence = z.strictObject({ records: z.array(MemberQueuePresence) });
export const ExtensionQueuePresenceQuery = z.object({ editableMemberStatus: Flag.optional() });
/** The queues of a member, and whether the member accepts their calls (OPERATION-11). */
export const ExtensionQueuePresenceUpdate = z.object({
  records: z.array(z.object({ callQueue: z.object({ id: z.string() }), acceptCalls: z.boolean() })),
});

/** A feature of an extension (OPERATION-7). */
export const ExtensionFeature = z.strictObject({
  id: z.string(),
  available: z.boolean(),
  params: z.array(z.strictObject({ name: z.string().optional(), value: z.string().optional() })).optional(),
  reason: z.strictObject({ code: z.string().optional(), message: z.string().optional() }).optional(),
});
export type ExtensionFeature = z.infer<typeof ExtensionFeature>;
export const ExtensionFeatureList = z.strictObject({ records: z.array(ExtensionFeature) });
export const ExtensionFeatureQuery = z.object({
  availableOnly: Flag.optional(),
  featureId: multi(z.string()),
});

/** The presences of the account (OPERATION-12). */
export const PresenceList = listOf(CompletePresence);
export const PresenceListQuery = PageQuery.extend({
  detailedTelephonyState: Flag.optional(),
  sipData: Flag.optional(),
});
