/** Filter of the list of live events. */
export interface EventFilter {
  /** Text to search for in the event, ignoring case. */
  readonly text: string;
  /** A short name without parameters, `recovered`, or empty for all events. */
  readonly kind: string;
}

/** One event in the list of live events. */
export interface InspectedEvent {
  readonly id: number;
  /** Time of receipt in ISO 8601 format and UTC. */
  readonly receivedAt: string;
  readonly event: string;
  readonly extensionId: string | undefined;
  readonly description: string;
  readonly isRecovered: boolean;
  readonly isEncrypted: boolean;
}

/** Matching events, and the ID after which to request more. */
export interface InspectedPage {
  readonly lines: readonly InspectedEvent[];
  readonly last: number;
}

/** Whether events are being received. */
export interface Receiving {
  /** Start of the receiver that runs longest, in ISO 8601; undefined if none runs. */
  readonly since: string | undefined;
  /** Time of receipt of the newest event, in ISO 8601; undefined without events. */
  readonly lastAt: string | undefined;
  /** Whether `ucctl sync --watch` keeps the local mailbox copy up to date. */
  readonly isCopying: boolean;
}

/** One delivery of an event to a target. */
export interface InspectedDelivery {
  /** Address or command without a password. */
  readonly target: string;
  readonly state: string;
  readonly attempts: number;
  readonly problem: string | null;
  readonly milliseconds: number | null;
}

/** The notification in the form that is forwarded. */
interface InspectedNotification {
  readonly uuid: string;
  readonly event: string;
  readonly timestamp?: string | undefined;
  readonly subscriptionId?: string | undefined;
  readonly body?: unknown;
  /** The encrypted body as base64, if its key is unknown. */
  readonly encryptedBody?: string | undefined;
}

/** One event with its body and deliveries. */
export interface InspectedDetail extends Omit<InspectedEvent, 'event'> {
  readonly origin: string;
  readonly event: InspectedNotification;
  /** The text that is sent when the event is replayed. */
  readonly text: string;
  readonly deliveries: readonly InspectedDelivery[];
}

/** The result of sending an event again. */
export interface ReplayResult {
  readonly isDelivered: boolean;
  readonly problem: string | undefined;
  readonly milliseconds: number;
}
