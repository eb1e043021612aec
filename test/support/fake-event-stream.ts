import type { EventStream, StreamedEvent } from '../../src/features/live/nats/event-stream-port.ts';
import { tokenOf } from '../../src/features/live/nats/subject.ts';

/** A stream in memory. @param beforePublish called before each event is stored. */
export function fakeEventStream(beforePublish: (event: StreamedEvent) => Promise<void> = async () => {}) {
  const events: StreamedEvent[] = [];
  const has = (lane: string, key: string): boolean =>
    events.some((event) => event.lane === lane && tokenOf(event.key) === tokenOf(key));
  const stream: EventStream = {
    name: 'EVENTS',
    isConnected: true,
    async publish(event, last) {
      await beforePublish(event);
      if (has(event.lane, event.key)) return 'duplicate';
      if (last !== undefined && events.length > last) return 'overtaken';
      events.push(event);
      return 'new';
    },
    has: (lane, key) => Promise.resolve(has(lane, key)),
    last: () => Promise.resolve(events.length),
    async *since(lane, position) {
      for (const [index, event] of events.entries())
        if (event.lane === lane && index + 1 >= position) yield { position: index + 1, raw: event.text };
    },
    close: () => Promise.resolve(),
  };
  return { stream, keys: () => events.map(({ key }) => key) };
}
