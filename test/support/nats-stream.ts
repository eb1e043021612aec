import {
  DiscardPolicy,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
} from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { onTestFinished } from 'vitest';
import type { NatsServer } from './nats.ts';

/** Messages that are read at the same time. */
const readTogether = 64;

/** A message of a stream. */
export interface StreamMessage {
  readonly subject: string;
  readonly text: string;
  readonly header: (name: string) => string;
}

/** The view of any client of NATS on a server. */
export async function natsClient({ url }: NatsServer) {
  const connection = await connect({ servers: url, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
  const manager = await jetstreamManager(connection);
  return {
    manager,
    /** Publishes without the knowledge of ucctl. @returns whether the server knew the ID. */
    publish: async (subject: string, msgID: string) =>
      (await jetstream(connection).publish(subject, '', { msgID })).duplicate,
    messages: (stream: string) => messagesOf(manager, stream),
    close: () => connection.close(),
  };
}

/** The same, closed after the test. */
export async function testClient(server: NatsServer) {
  const client = await natsClient(server);
  onTestFinished(() => client.close());
  return client;
}

/** All messages of a stream, in order; none if it does not exist. */
async function messagesOf(manager: JetStreamManager, stream: string): Promise<readonly StreamMessage[]> {
  const { state } = await manager.streams.info(stream);
  const messages: StreamMessage[] = [];
  for (let first = state.first_seq; first > 0 && first <= state.last_seq; first += readTogether) {
    const count = Math.min(readTogether, state.last_seq - first + 1);
    const sequences = Array.from({ length: count }, (_, index) => first + index);
    const found = await Promise.all(sequences.map((seq) => manager.streams.getMessage(stream, { seq })));
    for (const message of found)
      if (message)
        messages.push({
          subject: message.subject,
          text: message.string(),
          header: (name) => message.header.get(name),
        });
  }
  return messages;
}

/** A configuration that ucctl accepts, for tests that change a part of it. */
export function suitable(stream: string) {
  return {
    name: stream,
    subjects: [`ucctl.${stream}.>`],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    discard_new_per_subject: true,
    max_msgs_per_subject: 1,
  };
}
