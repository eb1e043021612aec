/** What differs between deployments of the service. Paths begin below the base URL. */
export interface Dialect {
  /** What chat webhooks live below (specification, Chat webhooks). */
  readonly chatPath: string;
  /** Name of the hosted channel's transport in a subscription. */
  readonly channelTransport: string;
  /** Spelling of the two-legged call's path segment. */
  readonly ringoutPath: 'ringout' | 'ring-out';
  /** Within this time a listener answers a notification. */
  readonly webhookLimitMilliseconds: number;
}

/** As the specification writes them, and as services of this interface have them now (facts, section 2). */
export const dialects = {
  spec: {
    chatPath: '/restapi/v1.0/chat',
    channelTransport: 'ChannelService',
    ringoutPath: 'ringout',
    webhookLimitMilliseconds: 1000,
  },
  current: {
    chatPath: '/team-messaging/v1',
    channelTransport: 'WebSocket',
    ringoutPath: 'ring-out',
    webhookLimitMilliseconds: 3000,
  },
} as const satisfies Readonly<Record<string, Dialect>>;
export type DialectName = keyof typeof dialects;
