import {
  activeCallRetentionSeconds,
  deletedSeconds,
  faxBytes,
  mailboxMessages,
  purgedSeconds,
  sentFaxDays,
  subscriptionsPerUser,
  syncDefaultSeconds,
  unreadMessages,
  webhookResponseBytes,
  webhookResponseMilliseconds,
} from '../../contract/limits.ts';

/** The choices where docs/spec leaves something open; docs/service-gaps.md explains each. */
export interface SandboxSettings {
  /** Life of an authorization code. */
  readonly codeSeconds: number;
  /** Time between the sign-in form and the answer on the consent page. */
  readonly consentSeconds: number;
  readonly sessionsPerUserAndApp: number;
  /** Time in which a used refresh token still answers with the pair it was exchanged for. 0 is strict: single use. */
  readonly refreshGraceSeconds: number;
  /** As above, while neither token of the new pair has been used; counts only with a grace time. */
  readonly refreshGraceUnusedSeconds: number;
  /** Whether a refresh ends the old access token at once. */
  readonly refreshEndsAccessToken: boolean;
  /** Whether the reuse of a refresh token ends its whole session. */
  readonly refreshReuseEndsSession: boolean;
  /** Code challenges: proven when announced, not looked at, or refused as something unknown. */
  readonly pkce: 'enforce' | 'ignore' | 'reject';
  /** How texts and faxes go on: `timed`, each step after its time; `immediate`, to the end in the reply; `manual`, by a trigger. */
  readonly messageProgression: 'immediate' | 'timed' | 'manual';
  /** Recipients of one text: one in dialect `spec`, several as one group in `current` (SMS-3). */
  readonly smsRecipients: number;
  /** After this a queued text is sent. */
  readonly smsSentMilliseconds: number;
  /** After this, counted from the request, it is delivered to the handset. */
  readonly smsDeliveredMilliseconds: number;
  /** After this a queued fax is sent, or has failed. */
  readonly faxSentMilliseconds: number;
  /** Messages of one type in one mailbox; a further one deletes the oldest. */
  readonly mailboxMessages: number;
  /** Unread voicemails, and unread faxes, in one mailbox; a further one deletes the oldest unread. */
  readonly unreadMessages: number;
  /** An outbound fax is deleted after so many days. */
  readonly sentFaxDays: number;
  /** After this a deleted message is purged. */
  readonly deletedSeconds: number;
  /** After this a purged message is removed. */
  readonly purgedSeconds: number;
  /** A sync without dateFrom reaches back so far. */
  readonly syncDefaultSeconds: number;
  /** An older sync token is refused: what was removed since could be missed. */
  readonly syncTokenSeconds: number;
  /** Records that a sync gives beyond the recordCount asked for. */
  readonly syncExtraRecords: number;
  readonly subscriptionsPerUser: number;
  /** Whether a presence filter has the notifications of a webhook encrypted, too (`spec`), or only asking for it does (`never`). */
  readonly webhookEncryption: 'spec' | 'never';
  readonly webhookTimeoutMilliseconds: number;
  readonly webhookReplyBytes: number;
  readonly requestBodyBytes: number;
  /** Of a multipart body: its documents and what frames them. */
  readonly faxBodyBytes: number;
  /** Larger content is answered in part (206) when no Range asks for one; 0 answers it whole. */
  readonly mediaPartBytes: number;
  /** Older rows of the request log are dropped. */
  readonly requestLogRows: number;
  /** Further attempts for a notification that was not answered with 200, at once. */
  readonly webhookRetries: number;
  /** A webhook that has failed for so long is given up. */
  readonly webhookFailingSeconds: number;
  /** What its subscription then becomes. */
  readonly webhookFailureStatus: 'Blacklisted' | 'Suspended';
  /** Time after which a given-up webhook is asked again, over and over; 0: never. */
  readonly webhookReconciliationSeconds: number;
  /** Longest wait of a client of the hosted channel, in real time. */
  readonly channelHoldMilliseconds: number;
  /** Shortest threshold and interval of renewal reminders. */
  readonly reminderJobSeconds: number;
  /**
   * How calls go on by themselves: `timed`, each step after its time; `immediate`, connected (or failed) at once; `manual`, only when somebody
   * picks up, refuses or hangs up (calls/phones.ts).
   */
  readonly callProgression: 'immediate' | 'timed' | 'manual';
  /** A telephone rings this long before it is answered or refused. */
  readonly callRingMilliseconds: number;
  /** A telephone that nobody answers stops ringing after this. */
  readonly callNoAnswerMilliseconds: number;
  /** A connected call ends after this. */
  readonly callTalkMilliseconds: number;
  /** After its end the statuses of a two-legged call are still answered for this long, then NoSessionFound. */
  readonly ringOutRetentionMilliseconds: number;
  /** An ended call leaves the active calls after this. */
  readonly activeCallRetentionMilliseconds: number;
  /** Whether active calls read page and filters (`read`), or drop the query and answer all calls at once. */
  readonly activeCallQueries: 'dropped' | 'read';
  /** Whether texts are in the call log, with type SMS; services of this interface log calls and faxes alone. */
  readonly logTexts: boolean;
  /** Whether calls that last long enough are recorded. */
  readonly recordCalls: boolean;
  /** Older recordings are gone. */
  readonly recordingDays: number;
}

export const defaultSettings: SandboxSettings = {
  codeSeconds: 60,
  consentSeconds: 600,
  sessionsPerUserAndApp: 5,
  refreshGraceSeconds: 0,
  refreshGraceUnusedSeconds: 3600,
  refreshEndsAccessToken: true,
  refreshReuseEndsSession: false,
  pkce: 'enforce',
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
