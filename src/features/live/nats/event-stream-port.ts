import { CommandError, Exit } from '../../../errors/command.ts';
import type { PositionedEvent } from '../recover/compared-again.ts';

/** An event for a stream. */
export interface StreamedEvent {
  /** Identifies the event: the uuid of the notification. The stream stores each key once. */
  readonly key: string;
  /** The extension of the event; empty without one. */
  readonly lane: string;
  readonly text: string;
  /** Headers of the message. */
  readonly facts?: Readonly<Record<string, string>>;
}

/**
 * The reason why no event can be sent to a stream; undefined while its server is connected. Used by health
 * checks.
 */
export function streamProblem({ name, isConnected }: EventStream): string | undefined {
  return isConnected ? undefined : `no connection to the server of stream ${name}`;
}

/** The error for an event that the server of a stream never accepts, because it is too large. */
export class EventTooLargeError extends CommandError {
  constructor(stream: string, cause: unknown) {
    super('nats_not_usable', Exit.local, `the event is larger than the server accepts for stream ${stream}`, {
      hint: 'increase max_payload in the settings of the server, or max_msg_size of the stream',
      cause,
    });
  }
}

/** A JetStream stream with events. Only `event-stream.ts` loads the client of NATS. */
export interface EventStream {
  readonly name: string;
  /** Whether the server is connected. */
  readonly isConnected: boolean;
  /**
   * Resolves when the server has acknowledged that the stream has the event.
   * @param last the sequence number of the last event. If the stream has a later one, the event is not stored, and the result
   * is `overtaken`.
   * @throws {EventTooLargeError} @throws {CommandError} `nats_not_usable`.
   */
  publish(event: StreamedEvent, last?: number): Promise<'new' | 'duplicate' | 'overtaken'>;
  /** Whether the stream has the event of an extension with a key. @throws {CommandError} `nats_not_usable`. */
  has(lane: string, key: string): Promise<boolean>;
  /** The sequence number of the last event; 0 for an empty stream. */
  last(): Promise<number>;
  /** The events of an extension from a sequence number, in order. Their positions are sequence numbers. */
  since(lane: string, position: number): AsyncGenerator<PositionedEvent, void, undefined>;
  close(): Promise<void>;
}
