import type {
  CallQueueInfo,
  ExtensionFeature,
  MemberQueuePresence,
  QueueMemberPresence,
} from '../../contract/call-queue.ts';
import { flag, key, list, number, object, optional, record, text, type Member } from './shape.ts';

/** A call queue, with or without its settings. */
export const callQueueShape = record<CallQueueInfo>(
  {
    uri: text,
    id: key,
    extensionNumber: text,
    name: text,
    status: text,
    serviceLevelSettings: optional(
      object<NonNullable<CallQueueInfo['serviceLevelSettings']>>({
        slaGoal: number,
        slaThresholdSeconds: number,
        includeAbandonedCalls: flag,
        abandonedThresholdSeconds: number,
      }),
    ),
    editableMemberStatus: flag,
    alertTimer: number,
  },
  ['id'],
);

/** Returns an object whose ID is required, because no other member identifies the record. */
function identified<T extends { readonly id: string }>(member: Member<T>): Member<T> {
  return {
    read(value) {
      const found = member.read(value);
      return found !== undefined && typeof found.id === 'string' ? found : undefined;
    },
  };
}

/** Whether one member of a queue accepts its calls. */
export const memberPresenceShape = record<QueueMemberPresence>(
  {
    member: identified(object<QueueMemberPresence['member']>({ id: key, name: text, extensionNumber: text })),
    acceptQueueCalls: flag,
    acceptCurrentQueueCalls: flag,
  },
  ['member'],
);

/** Whether a member accepts the calls of one queue. */
export const queuePresenceShape = record<MemberQueuePresence>(
  {
    callQueue: identified(
      object<MemberQueuePresence['callQueue']>({
        id: key,
        name: text,
        extensionNumber: text,
        editableMemberStatus: flag,
      }),
    ),
    acceptCalls: flag,
  },
  ['callQueue'],
);

/** A feature of an extension. A feature without `available` proves nothing. */
export const featureShape = record<ExtensionFeature>(
  {
    id: key,
    available: flag,
    params: optional(list(object<{ name?: string; value?: string }>({ name: text, value: text }))),
    reason: optional(object<{ code?: string; message?: string }>({ code: text, message: text })),
  },
  ['id', 'available'],
);
