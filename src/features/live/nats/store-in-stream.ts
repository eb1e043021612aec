import type { AddedEvent } from '../../../store/event-log.ts';
import { subjectOf } from '../log/lane.ts';
import { recoveredKeys } from '../recover/recovery.ts';
import { isDelivered, type Origin } from '../store/stored-event.ts';
import type { EventStream, StreamedEvent } from './event-stream-port.ts';

/** Details of the storage of an event. */
interface StreamPlace {
  /** The extension of the event, if it is known. */
  readonly lane?: string;
  /** As for `EventStream.publish`. */
  readonly last?: number | undefined;
}

/**
 * Stores an event of a receiver. A notification that arrives after its messages were recovered is a duplicate: the service
 * retries a notification for a day, and programs that read the stream would get these messages twice.
 * @throws the errors of `EventStream.publish`.
 */
export async function storeInStream(
  stream: EventStream,
  event: AddedEvent,
  { lane = subjectOf(event).lane, last }: StreamPlace = {},
): ReturnType<EventStream['publish']> {
  if (await areRecovered(stream, event, lane)) return 'duplicate';
  return stream.publish(streamedEvent(event, lane), last);
}

async function areRecovered(
  stream: EventStream,
  { origin, notification }: AddedEvent,
  lane: string,
): Promise<boolean> {
  if (!notification || !isDelivered({ origin: origin as Origin })) return false;
  const keys = recoveredKeys(notification);
  if (keys.length === 0) return false;
  const found = await Promise.all(keys.map((key) => stream.has(lane, key)));
  return found.every(Boolean);
}

/** Converts an event of a receiver to a message. */
function streamedEvent({ receiver, key, origin, encrypted, raw }: AddedEvent, lane: string): StreamedEvent {
  const facts = {
    'ucctl-receiver': receiver,
    'ucctl-origin': origin,
    ...(['recovered', 'gap'].includes(origin) && { 'ucctl-recovered': 'true' }),
    ...(encrypted && { 'ucctl-encrypted': 'true' }),
  };
  return { key, lane, text: raw, facts };
}
