import {
  SUBSCRIPTIONS_PER_USER,
  WEBHOOK_RESPONSE_BYTES,
  WEBHOOK_RESPONSE_MILLISECONDS,
} from '../contract/limits.ts';

/** Where the specification leaves a choice, the choice; docs/service-gaps.md explains each. */
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
  /** After this a queued text is sent. */
  readonly smsSentMilliseconds: number;
  /** After this, counted from the request, it is delivered to the handset. */
  readonly smsDeliveredMilliseconds: number;
  readonly subscriptionsPerUser: number;
  readonly webhookTimeoutMilliseconds: number;
  readonly webhookReplyBytes: number;
  readonly requestBodyBytes: number;
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
  smsSentMilliseconds: 500,
  smsDeliveredMilliseconds: 2000,
  subscriptionsPerUser: SUBSCRIPTIONS_PER_USER,
  webhookTimeoutMilliseconds: WEBHOOK_RESPONSE_MILLISECONDS,
  webhookReplyBytes: WEBHOOK_RESPONSE_BYTES,
  webhookRetries: 0,
  webhookFailingSeconds: 600,
  webhookFailureStatus: 'Blacklisted',
  webhookReconciliationSeconds: 900,
  channelHoldMilliseconds: 310_000,
  requestBodyBytes: 1_048_576,
  requestLogRows: 1000,
  reminderJobSeconds: 15,
};
