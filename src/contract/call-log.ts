import { z } from 'zod';
import {
  callActions,
  callLogViews,
  callResults,
  callTransports,
  callTypes,
  conferenceTypes,
  directions,
  legTypes,
  recordingTypes,
  syncTypes,
} from './enums.ts';
import { callSyncRecords } from './limits.ts';
import { Count, Digits, Flag, Id, listOf, multi, openEnum, PageQuery, PerPage, Timestamp } from './common.ts';

export const CallParty = z.strictObject({
  phoneNumber: z.string().optional(),
  extensionNumber: z.string().optional(),
  extensionId: z.string().optional(),
  name: z.string().optional(),
  location: z.string().optional(),
});
export type CallParty = z.infer<typeof CallParty>;

/** Metadata of a recording in a call log record (CALL-8). Clients use `contentUri` as received. */
export const CallRecording = z.strictObject({
  id: z.string(),
  uri: z.url(),
  type: openEnum(recordingTypes),
  contentUri: z.url(),
});
export type CallRecording = z.infer<typeof CallRecording>;

const CallExtension = z.strictObject({ uri: z.url(), id: Id });

const common = {
  startTime: Timestamp,
  /** Duration of the call in seconds. */
  duration: z.int().optional(),
  type: openEnum(callTypes),
  direction: openEnum(directions),
  action: openEnum(callActions),
  result: openEnum(callResults).optional(),
  reason: z.string().optional(),
  reasonDescription: z.string().optional(),
  to: CallParty.optional(),
  from: CallParty.optional(),
  extension: CallExtension.optional(),
  recording: CallRecording.optional(),
  message: z.strictObject({ id: z.string(), type: z.string(), uri: z.url() }).optional(),
};

/** One leg of a call, as in the Detailed view. */
export const CallLeg = z.strictObject({
  ...common,
  transport: openEnum(callTransports).optional(),
  legType: openEnum(legTypes),
  master: z.boolean().optional(),
});
export type CallLeg = z.infer<typeof CallLeg>;
const CompleteCallLeg = CallLeg.required({ duration: true, result: true, transport: true });

/** A call log record (CALL-4 to CALL-9). The records of one call share `sessionId`. */
export const CallLogRecord = z.strictObject({
  ...common,
  uri: z.url(),
  id: z.string(),
  sessionId: z.string(),
  telephonySessionId: z.string().optional(),
  transport: openEnum(callTransports).optional(),
  lastModifiedTime: Timestamp.optional(),
  deleted: z.boolean().optional(),
  legs: z.array(CallLeg).optional(),
});
export type CallLogRecord = z.infer<typeof CallLogRecord>;

/** A call log record as the sandbox sends it. */
export const CompleteCallLogRecord = CallLogRecord.required({ duration: true, result: true }).extend({
  legs: z.array(CompleteCallLeg).optional(),
});

/** A page of the call log, which has no totals (BASE-35). */
export const CallLogList = listOf(CompleteCallLogRecord);

export const CallLogQuery = PageQuery.extend({
  perPage: z.union([z.literal('max').transform(() => 1000), PerPage]).optional(),
  extensionNumber: z.string().optional(),
  /** E.164 without the `+` (CALL-15). */
  phoneNumber: Digits.optional(),
  showBlocked: Flag.optional(),
  direction: multi(z.enum(directions)),
  sessionId: z.string().optional(),
  telephonySessionId: z.string().optional(),
  type: multi(z.enum(callTypes)),
  transport: multi(z.enum(callTransports)),
  view: z.enum(callLogViews).optional(),
  withRecording: Flag.optional(),
  recordingType: z.enum([...recordingTypes, 'All']).optional(),
  /** Only calls with metadata of one of these categories (CALL-26). */
  metadataCategory: multi(z.string()),
  dateFrom: z.string().optional(),
  dateTo: z.string().optional(),
  showDeleted: Flag.optional(),
});
/** Query of the calls of an account, which has no filters by network and by blocked calls (CALL-17). */
export const AccountCallLogQuery = CallLogQuery.omit({ showBlocked: true, transport: true });
/** Page and filters of active calls, for deployments that support them. */
export const ActiveCallsQuery = PageQuery.extend({
  perPage: z.union([z.literal('max').transform(() => 1000), PerPage]).optional(),
  direction: multi(z.enum(directions)),
  type: multi(z.enum(callTypes)),
  transport: multi(z.enum(callTransports)),
  /** Only conference calls of these types (ACTIVE-3). */
  conferenceType: multi(z.enum(conferenceTypes)),
  view: z.enum(callLogViews).optional(),
});
/** Page and filters of active calls as clients pass them. */
export interface ActiveCallsFilter {
  readonly direction?: readonly string[];
  readonly type?: readonly string[];
  readonly transport?: readonly string[];
  readonly view?: 'Simple' | 'Detailed';
}

/** Query of a sync of the call log; dialect `current` only (CALL-25). A sync with a token ignores `dateFrom`. */
export const CallLogSyncQuery = z.object({
  syncType: z.enum(syncTypes).optional(),
  syncToken: z.string().optional(),
  dateFrom: z.string().optional(),
  /** A value above the maximum is reduced, as for pages. */
  recordCount: Count.transform((count) => Math.min(count, callSyncRecords)).optional(),
  statusGroup: multi(z.enum(['Missed', 'All'])),
  view: z.enum(callLogViews).optional(),
  showDeleted: Flag.optional(),
  withRecording: Flag.optional(),
  recordingType: z.enum([...recordingTypes, 'All']).optional(),
  metadataCategory: multi(z.string()),
});

/** The latest calls, or the calls that changed since a token (CALL-25). */
export const CallLogSyncReply = z.strictObject({
  uri: z.url(),
  records: z.array(CallLogRecord),
  syncInfo: z.strictObject({ syncType: openEnum(syncTypes), syncToken: z.string(), syncTime: Timestamp }),
});
export type CallLogSyncReply = z.infer<typeof CallLogSyncReply>;
/** The reply to a sync of the call log as the sandbox sends it. */
export const CompleteCallLogSyncReply = CallLogSyncReply.extend({ records: z.array(CompleteCallLogRecord) });

/** Query of a sync of the call log as clients pass it. */
export type CallLogSyncRequest =
  | { readonly syncType: 'FSync'; readonly dateFrom?: string; readonly recordCount?: number }
  | { readonly syncType: 'ISync'; readonly syncToken: string };

/** Filters of the call log (CALL-10 to CALL-17); dates are ISO 8601 with an offset. */
export interface CallLogFilter {
  readonly extensionNumber?: string;
  /** E.164. */
  readonly phoneNumber?: string;
  readonly direction?: readonly string[];
  readonly sessionId?: string;
  readonly telephonySessionId?: string;
  readonly showBlocked?: boolean;
  readonly withRecording?: boolean;
  readonly type?: readonly string[];
  readonly transport?: readonly string[];
  readonly view?: 'Simple' | 'Detailed';
  readonly recordingType?: string;
  readonly dateFrom?: string;
  readonly dateTo?: string;
  readonly showDeleted?: boolean;
}

/** The reply to GET account/{a}/recording/{id} (MEDIA-5). */
export const Recording = z.strictObject({
  id: z.string(),
  uri: z.url().optional(),
  contentUri: z.url(),
  contentType: z.string(),
  /** Duration of the recording in seconds. */
  duration: z.int(),
});
export type Recording = z.infer<typeof Recording>;
