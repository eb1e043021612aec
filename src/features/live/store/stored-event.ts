/** How an event can come here. */
export const origins = ['webhook', 'channel', 'recovered', 'gap', 'import'] as const;
export type Origin = (typeof origins)[number];

/** Receiver of events that were imported and do not say which one took them. */
export const importReceiver = 'import';
/** Stands before the receiver that took an imported event elsewhere: no reader of that receiver here takes it for one that came. */
const elsewhere = `${importReceiver}:`;

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

/** Name under which an imported event is kept. */
export function importedAs(receiver: string): string {
  return receiver === importReceiver ? receiver : `${elsewhere}${receiver}`;
}

/** The receiver that took it, here or elsewhere. */
export function receiverOf({ receiver }: StoredEvent): string {
  return receiver.startsWith(elsewhere) ? receiver.slice(elsewhere.length) : receiver;
}
