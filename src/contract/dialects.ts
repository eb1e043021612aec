/** A way to get a token: a flow of `ucctl login`, or the renewal of a session. */
export type Grant = 'code' | 'jwt' | 'refresh' | 'password' | 'client-credentials';

/** Names and values that differ between deployments of the service. Paths are relative to the base URL. */
export interface Dialect {
  /** Base path of chat webhooks (CHAT-1). */
  readonly chatPath: string;
  /** Name of the hosted channel's transport in a subscription. */
  readonly channelTransport: string;
  /** Spelling of the RingOut path segment. */
  readonly ringoutPath: 'ringout' | 'ring-out';
  /** Time limit for the reply to a notification, in milliseconds. */
  readonly webhookLimitMilliseconds: number;
  /** Type of the ID of a RingOut call (RINGOUT-12). */
  readonly ringOutId: 'integer' | 'string';
  /** Transport of live events that needs no public address: the hosted channel, or a WebSocket (CURRENT-12). */
  readonly liveTransport: 'channel' | 'websocket';
  /**
   * Hosts that may receive the token for media, besides the host of the base URL: only the hosts of the setting, or
   * also the hosts with the registrable domain of the base URL (CURRENT-14).
   */
  readonly mediaHosts: 'listed' | 'same-domain';
  /** Type of an extension that only takes messages (EXT-6, EXT-10). */
  readonly voicemailExtensionType: 'Take Messages Only' | 'Voicemail';
  /** Types of calls in the call log (CALL-11, CURRENT-13). */
  readonly callTypes: readonly string[];
  /** Types of messages that lists and syncs can select (MESSAGE-41, CURRENT-18). */
  readonly messageTypes: readonly string[];
  /** Whether a request for messages by ID selects their availability (MESSAGE-30, CURRENT-18). */
  readonly hasAvailabilityById: boolean;
  /** Grants that the token endpoint accepts (CURRENT-16). */
  readonly grants: readonly Grant[];
  /** Longest lifetime of a refresh token that a client can request, in seconds (OAUTH-44, OAUTH-57). */
  readonly refreshTokenMaxSeconds: number;
  /**
   * Requests about queues: `departments` changes the members of several queues in one request; `call-queues` changes
   * the members of one queue, and has settings, creation and availability of queues (CURRENT-7 to CURRENT-9).
   */
  readonly queues: 'departments' | 'call-queues';
  /**
   * Value of the parameters `owner` and `voicemailOwner` in a message sync, which includes shared messages of queues
   * (CURRENT-17, CURRENT-19); undefined if the dialect has no such parameters.
   */
  readonly syncOwner: 'Any' | undefined;
  /** Whether a pager message may omit its sender, and name extensions by ID (PAGER-12). */
  readonly hasPagerIds: boolean;
  /** Whether active calls of a queue name the queue in `callInfo` (PRESENCE-23). */
  readonly hasCallInfo: boolean;
  /** Whether the call log of an extension has a sync with tokens (CALL-25). */
  readonly hasCallLogSync: boolean;
  readonly limits: {
    /** Maximum number of subscriptions for each user and application (SUB-505). */
    readonly subscriptionsPerUser: number;
    /** Maximum number of recipients of one text (SMS-3). */
    readonly smsRecipients: number;
    /** Period of a sync without dateFrom, in seconds (SYNC-5). */
    readonly syncDefaultSeconds: number;
  };
}

/** The names and values of both dialects; docs/spec/current.md lists the differences. */
export const dialects = {
  spec: {
    chatPath: '/restapi/v1.0/chat',
    channelTransport: 'ChannelService',
    ringoutPath: 'ringout',
    webhookLimitMilliseconds: 1000,
    ringOutId: 'integer',
    liveTransport: 'channel',
    mediaHosts: 'listed',
    voicemailExtensionType: 'Take Messages Only',
    callTypes: ['Voice', 'Fax', 'SMS'],
    messageTypes: ['SMS', 'Fax', 'VoiceMail', 'Pager', 'Text'],
    hasAvailabilityById: true,
    grants: ['code', 'jwt', 'refresh', 'password', 'client-credentials'],
    refreshTokenMaxSeconds: 604_800,
    queues: 'departments',
    syncOwner: undefined,
    hasPagerIds: false,
    hasCallInfo: false,
    hasCallLogSync: false,
    limits: { subscriptionsPerUser: 20, smsRecipients: 1, syncDefaultSeconds: 7 * 86_400 },
  },
  current: {
    chatPath: '/team-messaging/v1',
    channelTransport: 'WebSocket',
    ringoutPath: 'ring-out',
    webhookLimitMilliseconds: 3000,
    ringOutId: 'string',
    liveTransport: 'websocket',
    mediaHosts: 'same-domain',
    voicemailExtensionType: 'Voicemail',
    callTypes: ['Voice', 'Fax'],
    messageTypes: ['SMS', 'Fax', 'VoiceMail', 'Pager'],
    hasAvailabilityById: false,
    grants: ['code', 'jwt', 'refresh'],
    refreshTokenMaxSeconds: 2_592_000,
    queues: 'call-queues',
    syncOwner: 'Any',
    hasPagerIds: true,
    hasCallInfo: true,
    hasCallLogSync: true,
    limits: { subscriptionsPerUser: 30, smsRecipients: 10, syncDefaultSeconds: 86_400 },
  },
} as const satisfies Readonly<Record<string, Dialect>>;
export type DialectName = keyof typeof dialects;

/** Paths that services of only one dialect have. A path of both dialects, or of neither, matches no pattern. */
export const dialectPaths: Readonly<Record<DialectName, RegExp>> = {
  spec: /\/(?:extension\/[^/]+\/ringout|chat)(?:\/|$)/,
  current:
    /\/(?:extension-bulk-update|call-queues|features|call-queue-presence|unified-presence|wstoken|call-log-sync|team-messaging|business-hours|answering-rule|audit-trail|a2p-sms|message-store-report)(?:\/|$)|\/account\/[^/]+\/presence$/,
};
