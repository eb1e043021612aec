/** What differs between deployments of the service. Paths begin below the base URL. */
export interface Dialect {
  /** Path below which chat webhooks are: CHAT-1. */
  readonly chatPath: string;
  /** Name of the hosted channel's transport in a subscription. */
  readonly channelTransport: string;
  /** Spelling of the two-legged call's path segment. */
  readonly ringoutPath: 'ringout' | 'ring-out';
  /** Within this time a listener answers a notification. */
  readonly webhookLimitMilliseconds: number;
}

/** The names and values of both dialects: docs/spec/current.md lists what differs. */
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
