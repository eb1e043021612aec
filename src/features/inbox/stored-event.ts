/** How an event came here. */
export type Origin = 'webhook' | 'channel' | 'recovered' | 'gap' | 'import';

export interface StoredEvent {
  readonly id: number;
  /** Which of this user's receivers took it. */
  readonly receiver: string;
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  readonly origin: Origin;
  /** 1 while an encrypted notification has not been read. */
  readonly sealed: 0 | 1;
  readonly raw: string;
}
