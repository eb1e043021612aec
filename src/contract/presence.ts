import { z } from 'zod';
import {
  callerIdVisibilities,
  callInfoTypes,
  chatAvailabilities,
  chatStatuses,
  directions,
  dndStatuses,
  meetingStatuses,
  personalDndStatuses,
  telephonyAvailabilities,
  telephonyStatuses,
  unifiedMeetingStatuses,
  unifiedStatuses,
  userStatuses,
  visibilities,
} from './enums.ts';
import { Flag, Id, openEnum, Timestamp } from './common.ts';
import { presenceMessageCharacters } from './limits.ts';

/** One line of the information about a queue call (PRESENCE-23). */
const CallInfoLine = z.strictObject({
  type: openEnum(callInfoTypes).optional(),
  value: z.string().optional(),
});

/** One active call of an extension, returned with `detailedTelephonyState=true` (PRESENCE-19). */
export const ActiveCall = z.strictObject({
  id: z.string().optional(),
  direction: openEnum(directions).optional(),
  queueCall: z.boolean().optional(),
  from: z.string().optional(),
  fromName: z.string().optional(),
  to: z.string().optional(),
  toName: z.string().optional(),
  startTime: Timestamp.optional(),
  telephonyStatus: openEnum(telephonyStatuses).optional(),
  sessionId: z.string().optional(),
  telephonySessionId: z.string().optional(),
  partyId: z.string().optional(),
  terminationType: z.string().optional(),
  onBehalfOf: z.string().optional(),
  callInfo: z
    .strictObject({ primary: CallInfoLine.optional(), additional: CallInfoLine.optional() })
    .optional(),
  sipData: z
    .strictObject({
      callId: z.string().optional(),
      toTag: z.string().optional(),
      fromTag: z.string().optional(),
      remoteUri: z.string().optional(),
      localUri: z.string().optional(),
      rcSessionId: z.string().optional(),
    })
    .optional(),
});
export type ActiveCall = z.infer<typeof ActiveCall>;
const CompleteActiveCall = ActiveCall.required({
  id: true,
  direction: true,
  telephonyStatus: true,
  sessionId: true,
}).extend({
  sipData: z
    .strictObject({
      callId: z.string(),
      toTag: z.string(),
      fromTag: z.string(),
      remoteUri: z.string(),
      localUri: z.string(),
      rcSessionId: z.string().optional(),
    })
    .optional(),
});

/**
 * The presence of an extension (PRESENCE-6 to PRESENCE-17). Extensions that are not users have only the first members
 * (PRESENCE-17).
 */
export const Presence = z.strictObject({
  uri: z.url().optional(),
  extension: z.strictObject({
    uri: z.url().optional(),
    id: Id.optional(),
    extensionNumber: z.string().optional(),
  }),
  presenceStatus: openEnum(userStatuses).optional(),
  telephonyStatus: openEnum(telephonyStatuses).optional(),
  userStatus: openEnum(userStatuses).optional(),
  meetingStatus: openEnum(meetingStatuses).optional(),
  dndStatus: openEnum(dndStatuses).optional(),
  dndStatusPersonal: openEnum(personalDndStatuses).optional(),
  acceptCallQueueCalls: z.boolean().optional(),
  callerIdVisibility: openEnum(callerIdVisibilities).optional(),
  message: z.string().optional(),
  allowSeeMyPresence: z.boolean().optional(),
  ringOnMonitoredCall: z.boolean().optional(),
  pickUpCallsOnHold: z.boolean().optional(),
  activeCalls: z.array(ActiveCall).optional(),
});
export type Presence = z.infer<typeof Presence>;
/** A presence as the sandbox sends it. */
export const CompletePresence = Presence.required({ uri: true, presenceStatus: true }).extend({
  extension: Presence.shape.extension.required({ uri: true, id: true }),
  activeCalls: z.array(CompleteActiveCall).optional(),
});

export const PresenceQuery = z.object({ detailedTelephonyState: Flag.optional(), sipData: Flag.optional() });

export const PresenceUpdate = z.object({
  userStatus: z.enum(userStatuses).optional(),
  dndStatus: z.enum(dndStatuses).optional(),
  /** Only dialect `current` has this member and the next two (PRESENCE-21). */
  dndStatusPersonal: z.enum(personalDndStatuses).optional(),
  acceptCallQueueCalls: z.boolean().optional(),
  callerIdVisibility: z.enum(callerIdVisibilities).optional(),
  message: z.string().max(presenceMessageCharacters).optional(),
  allowSeeMyPresence: z.boolean().optional(),
  ringOnMonitoredCall: z.boolean().optional(),
  pickUpCallsOnHold: z.boolean().optional(),
});
export type PresenceUpdate = Partial<z.infer<typeof PresenceUpdate>>;

/** The presence of an extension in all services of the account, in dialect `current` (PRESENCE-24). */
export const UnifiedPresence = z.strictObject({
  status: openEnum(unifiedStatuses).optional(),
  chat: z
    .strictObject({
      status: openEnum(chatStatuses).optional(),
      visibility: openEnum(visibilities).optional(),
      availability: openEnum(chatAvailabilities).optional(),
    })
    .optional(),
  telephony: z
    .strictObject({
      status: openEnum(telephonyStatuses).optional(),
      visibility: openEnum(visibilities).optional(),
      availability: openEnum(telephonyAvailabilities).optional(),
    })
    .optional(),
  meeting: z.strictObject({ status: openEnum(unifiedMeetingStatuses).optional() }).optional(),
});
export type UnifiedPresence = z.infer<typeof UnifiedPresence>;

export const UnifiedPresenceUpdate = z.object({
  chat: z
    .object({
      visibility: z.enum(visibilities).optional(),
      availability: z.enum(chatAvailabilities).optional(),
    })
    .optional(),
  telephony: z.object({ availability: z.enum(telephonyAvailabilities).optional() }).optional(),
});
