import {
  activeCallRetentionSeconds,
  authorizationCodeSeconds,
  deletedSeconds,
  faxBytes,
  mailboxMessages,
  purgedSeconds,
  sentFaxDays,
  sessionsPerUser,
  subscriptionsPerUser,
  syncDefaultSeconds,
  unreadMessages,
  webSocket,
  webhookResponseBytes,
  webhookResponseMilliseconds,
} from '../../contract/limits.ts';

/** Settings for behavior that docs/spec does not define; docs/internals/service-gaps.md explains each of them. */
export interface SandboxSettings {
  /** Lifetime of an authorization code. */
  readonly codeSeconds: number;
  /** Time to answer the consent page after the sign-in form. */
  readonly consentSeconds: number;
  readonly sessionsPerUserAndApp: number;
  /**
   * Time for which a used refresh token still returns the token pair that it was exchanged for. With 0, a refresh token
   * can be used only once.
   */
  readonly refreshGraceSeconds: number;
  /**
   * The grace time while neither token of the new pair has been used; applies only if refreshGraceSeconds is above 0.
   */
  readonly refreshGraceUnusedSeconds: number;
  /** Whether a refresh immediately revokes the old access token. */
  readonly refreshEndsAccessToken: boolean;
  /** Whether the reuse of a refresh token ends its whole session. */
  readonly refreshReuseEndsSession: boolean;
  /** Code challenges of PKCE: enforced if sent, ignored, or rejected as an unknown parameter. */
  readonly pkce: 'enforce' | 'ignore' | 'reject';
  /** Grants that the token endpoint accepts: `all`, or the grants of dialect `current` (code, jwt, refresh). */
  readonly grants: 'all' | 'current';
  /** Whether the account has new call handling, so that dndStatus has no modes for queue calls (CURRENT-9). */
  readonly newCallHandling: boolean;
  /**
   * When texts and faxes change status: `timed`, each step after its time; `immediate`, all steps before the reply;
   * `manual`, by a trigger.
   */
  readonly messageProgression: 'immediate' | 'timed' | 'manual';
  /** Recipients of one text: one in dialect `spec`, several as one group in `current` (SMS-3). */
  readonly smsRecipients: number;
  /** Time until a queued text gets the status Sent. */
  readonly smsSentMilliseconds: number;
  /** Time from the request until the text is delivered to the handset. */
  readonly smsDeliveredMilliseconds: number;
  /** Time until a queued fax is sent or fails. */
  readonly faxSentMilliseconds: number;
  /** Maximum number of messages of one type in a mailbox; a further message deletes the oldest message. */
  readonly mailboxMessages: number;
  /**
   * Maximum number of unread voicemails, and of unread faxes, in a mailbox; a further unread message deletes the oldest
   * unread message.
   */
  readonly unreadMessages: number;
  /** Days until an outbound fax is deleted. */
  readonly sentFaxDays: number;
  /** Time until a deleted message is purged. */
  readonly deletedSeconds: number;
  /** Time until a purged message is removed. */
  readonly purgedSeconds: number;
  /** Time range of a sync without dateFrom. */
  readonly syncDefaultSeconds: number;
  /** Maximum age of a sync token; a sync with an older token could miss removed messages. */
  readonly syncTokenSeconds: number;
  /** Number of records that a sync returns in addition to the requested recordCount. */
  readonly syncExtraRecords: number;
  readonly subscriptionsPerUser: number;
  /**
   * Whether a presence filter or a request encrypts the notifications of a webhook (`spec`), or they are never encrypted
   * (`never`).
   */
  readonly webhookEncryption: 'spec' | 'never';
  readonly webhookTimeoutMilliseconds: number;
  readonly webhookReplyBytes: number;
  readonly requestBodyBytes: number;
  /** Maximum size of a multipart body: documents and part headers. */
  readonly faxBodyBytes: number;
  /**
   * Maximum size of content that is returned whole. Larger content is returned in parts (206) even without a Range
   * header. With 0, content is always returned whole.
   */
  readonly mediaPartBytes: number;
  /** Maximum number of rows in the request log; older rows are deleted. */
  readonly requestLogRows: number;
  /** Immediate retries of a notification that was not answered with 200. */
  readonly webhookRetries: number;
  /** Time after which a failing webhook is disabled. */
  readonly webhookFailingSeconds: number;
  /** Status of the subscription of a disabled webhook. */
  readonly webhookFailureStatus: 'Blacklisted' | 'Suspended';
  /** Interval at which a disabled webhook gets a new handshake; with 0, it never gets a handshake. */
  readonly webhookReconciliationSeconds: number;
  /** Lifetime of a token for a WebSocket. */
  readonly webSocketTokenSeconds: number;
  /** Whether a token opens several WebSockets during its lifetime. */
  readonly webSocketTokenReuse: boolean;
  /** Events that a WebSocket session stores for its recovery. */
  readonly webSocketBufferEvents: number;
  /** Time after the loss of a WebSocket within which its session can be continued. */
  readonly webSocketRecoverySeconds: number;
  /** Time without a frame after which a WebSocket ends. */
  readonly webSocketIdleSeconds: number;
  /** Maximum age of a WebSocket. */
  readonly webSocketAbsoluteSeconds: number;
  /** Maximum number of WebSockets of one sign-in. */
  readonly webSocketConnections: number;
  /** Maximum number of unanswered requests on a WebSocket. */
  readonly webSocketActiveRequests: number;
  /** Interval of pings, by the machine's clock. */
  readonly webSocketPingMilliseconds: number;
  /** Longest wait for the reply to a ping, according to the machine's clock. */
  readonly webSocketPongMilliseconds: number;
  /** Time without a frame after which the sandbox sends a heartbeat with its next ping, by the machine's clock. */
  readonly webSocketHeartbeatMilliseconds: number;
  /** Longest wait of a client of the hosted channel, by the machine's clock. */
  readonly channelHoldMilliseconds: number;
  /** Shortest threshold and interval of renewal reminders. */
  readonly reminderJobSeconds: number;
  /**
   * When calls change status: `timed`, each step after its time; `immediate`, connected or failed immediately;
   * `manual`, only through actions on phones (calls/phones.ts).
   */
  readonly callProgression: 'immediate' | 'timed' | 'manual';
  /** Ringing time before a phone is answered or rejects the call. */
  readonly callRingMilliseconds: number;
  /** Ringing time of a phone that is not answered. */
  readonly callNoAnswerMilliseconds: number;
  /** Duration of a connected call. */
  readonly callTalkMilliseconds: number;
  /** Time for which the statuses of a finished two-legged call are returned; then NoSessionFound. */
  readonly ringOutRetentionMilliseconds: number;
  /** Time for which a finished call stays in the active calls. */
  readonly activeCallRetentionMilliseconds: number;
  /** Whether active calls apply page and filters (`read`), or ignore the query and return all calls (`dropped`). */
  readonly activeCallQueries: 'dropped' | 'read';
  /** Whether texts are in the call log, with type SMS; services of this interface log only calls and faxes. */
  readonly logTexts: boolean;
  /** Whether calls that last long enough are recorded. */
  readonly recordCalls: boolean;
  /** Days for which recordings are retained. */
  readonly recordingDays: number;
}

export const defaultSettings: SandboxSettings = {
  codeSeconds: authorizationCodeSeconds,
  consentSeconds: 600,
  sessionsPerUserAndApp: sessionsPerUser,
  refreshGraceSeconds: 0,
  refreshGraceUnusedSeconds: 3600,
  refreshEndsAccessToken: true,
  refreshReuseEndsSession: false,
  pkce: 'enforce',
  grants: 'all',
  newCallHandling: false,
  messageProgression: 'timed',
  smsRecipients: 1,
  smsSentMilliseconds: 500,
  smsDeliveredMilliseconds: 2000,
  faxSentMilliseconds: 3000,
  mailboxMessages: mailboxMessages,
  unreadMessages: unreadMessages,
  sentFaxDays: sentFaxDays,
  deletedSeconds: deletedSeconds,
  purgedSeconds: purgedSeconds,
  syncDefaultSeconds: syncDefaultSeconds,
  syncTokenSeconds: purgedSeconds,
  syncExtraRecords: 0,
  subscriptionsPerUser: subscriptionsPerUser,
  webhookEncryption: 'spec',
  webhookTimeoutMilliseconds: webhookResponseMilliseconds,
  webhookReplyBytes: webhookResponseBytes,
  webhookRetries: 0,
  webhookFailingSeconds: 600,
  webhookFailureStatus: 'Blacklisted',
  webhookReconciliationSeconds: 900,
  webSocketTokenSeconds: webSocket.tokenSeconds,
  webSocketTokenReuse: true,
  webSocketBufferEvents: webSocket.recoveryBufferSize,
  webSocketRecoverySeconds: webSocket.recoverySeconds,
  webSocketIdleSeconds: webSocket.idleSeconds,
  webSocketAbsoluteSeconds: webSocket.absoluteSeconds,
  webSocketConnections: webSocket.connectionsPerSession,
  webSocketActiveRequests: webSocket.activeRequests,
  webSocketPingMilliseconds: 30_000,
  webSocketPongMilliseconds: webSocket.pongSeconds * 1000,
  webSocketHeartbeatMilliseconds: 120_000,
  channelHoldMilliseconds: 310_000,
  requestBodyBytes: 1_048_576,
  faxBodyBytes: faxBytes + 1_048_576,
  mediaPartBytes: 0,
  requestLogRows: 1000,
  reminderJobSeconds: 15,
  callProgression: 'timed',
  callRingMilliseconds: 2000,
  callNoAnswerMilliseconds: 20_000,
  callTalkMilliseconds: 10_000,
  ringOutRetentionMilliseconds: 60_000,
  activeCallRetentionMilliseconds: activeCallRetentionSeconds * 1000,
  activeCallQueries: 'dropped',
  logTexts: false,
  recordCalls: true,
  recordingDays: 90,
};
