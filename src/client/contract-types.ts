// The types of requests, replies and notifications, so that a program can name them.

export type { AnsweringRule, AnsweringRuleRequest, AnsweringRuleUpdate } from '../contract/answering-rule.ts';
export type { AuditFilter, AuditRecord } from '../contract/audit.ts';
export type { BusinessHours, BusinessHoursUpdate } from '../contract/business-hours.ts';
export type {
  ActiveCallsFilter,
  CallLeg,
  CallLogFilter,
  CallLogRecord,
  CallLogSyncReply,
  CallLogSyncRequest,
  CallParty,
  CallRecording,
  Recording,
} from '../contract/call-log.ts';
export type {
  CallQueue,
  CallQueueCreation,
  CallQueueInfo,
  CallQueueUpdate,
  ExtensionFeature,
  MemberQueuePresence,
  QueueMemberPresence,
} from '../contract/call-queue.ts';
export type { ChatWebhook } from '../contract/chat.ts';
export type { Id } from '../contract/common.ts';
export type { BulkAssignItem, DepartmentMember } from '../contract/department.ts';
export type { Extension, ExtensionFilter } from '../contract/extension.ts';
export type { ExtensionBulkUpdateTask, ExtensionUpdate } from '../contract/extension-bulk-update.ts';
export type { FaxEnvelope, FaxResend } from '../contract/fax.ts';
export type { Attachment, Message, MessageFilter, Party, SmsRequest } from '../contract/message.ts';
export type { MessageReport, MessageReportFile, MessageReportRequest } from '../contract/message-report.ts';
export type { SyncReply } from '../contract/message-store.ts';
export type { PagerRequest } from '../contract/pager.ts';
export type { ForwardingNumber, PhoneNumber } from '../contract/phone-number.ts';
export type { ActiveCall, Presence, PresenceUpdate } from '../contract/presence.ts';
export type { RingOut, RingOutRequest } from '../contract/ringout.ts';
export type {
  SmsBatch,
  SmsBatchFilter,
  SmsBatchMessage,
  SmsBatchMessageFilter,
  SmsBatchRequest,
} from '../contract/sms-batch.ts';
export type {
  Notification,
  Subscription,
  SubscriptionRequest,
  SubscriptionUpdate,
} from '../contract/subscription.ts';
export type { WebSocketToken } from '../contract/web-socket.ts';
