import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import { headers, InvalidArgumentError, type NatsConnection } from '@nats-io/transport-node';
import { CommandError } from '../../../errors/command.ts';
import type { NatsAddress } from '../../../platform/nats-address.ts';
import type { Context } from '../../../runtime/context.ts';
import { EventTooLargeError, type EventStream, type StreamedEvent } from './event-stream-port.ts';
import type { PositionedEvent } from '../recover/compared-again.ts';
import { connectNats } from './connection.ts';
import { hasNoJetStream, natsError } from './nats-error.ts';
import { hasCode, requirePublishing, requireStream, serverCodes } from './require-stream.ts';
import { subjectOf, subjectsOf, tokenOf } from './subject.ts';

/** Milliseconds in which the server must acknowledge an event. The service waits longer for the reply. */
const publishMilliseconds = 2500;

/**
 * Connects to a stream, and creates the stream if it does not exist. A stream is never changed or deleted.
 * @param retainSeconds time for which a new stream retains events.
 * @throws {CommandError} `nats_not_usable` (exit 12), `stream_differs` (exit 11).
 */
export async function connectStream(
  ctx: Context,
  address: NatsAddress,
  retainSeconds: number,
): Promise<EventStream> {
  const connection = await connectNats(ctx, address);
  try {
    const manager = await jetstreamManager(connection, { timeout: publishMilliseconds });
    const isNew = await requireStream(manager, address, retainSeconds);
    if (isNew) ctx.out.note(`Created stream ${address.stream}.`);
    await requirePublishing(connection, address.stream);
    return new NatsEventStream(address, connection, manager);
  } catch (error) {
    await connection.close();
    throw error instanceof CommandError ? error : natsError(address, error);
  }
}

class NatsEventStream implements EventStream {
  readonly #address: NatsAddress;
  readonly #connection: NatsConnection;
  readonly #manager: JetStreamManager;
  readonly #client: JetStreamClient;
  #isConnected = true;

  constructor(address: NatsAddress, connection: NatsConnection, manager: JetStreamManager) {
    this.#address = address;
    this.#connection = connection;
    this.#manager = manager;
    this.#client = jetstream(connection, { timeout: publishMilliseconds });
    void this.#watch();
  }

  get name(): string {
    return this.#address.stream;
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  async #watch(): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      if (type === 'disconnect') this.#isConnected = false;
      if (type === 'reconnect') this.#isConnected = true;
    }
  }

  async publish(
    { key, lane, text, facts }: StreamedEvent,
    last?: number,
  ): Promise<'new' | 'duplicate' | 'overtaken'> {
    // Without a connection, the library would queue the event, although the caller no longer waits for the
    // event.
    if (!this.#isConnected) throw natsError(this.#address, 'no connection');
    const head = headers();
    for (const [name, value] of Object.entries(facts ?? {})) head.set(name, value);
    try {
      const { duplicate } = await this.#client.publish(subjectOf(this.name, lane, key), text, {
        msgID: tokenOf(key),
        headers: head,
        timeout: publishMilliseconds,
        expect: { streamName: this.name, ...(last !== undefined && { lastSequence: last }) },
      });
      return duplicate ? 'duplicate' : 'new';
    } catch (error) {
      if (isKnownSubject(error)) return 'duplicate';
      if (hasCode(error, serverCodes.wrongLast)) return 'overtaken';
      if (isTooLarge(error)) throw new EventTooLargeError(this.name, error);
      if (hasNoJetStream(error))
        throw natsError(
          this.#address,
          new Error(
            `no stream has the subjects of stream ${this.name}; if the stream was deleted, restart ucctl`,
          ),
        );
      throw natsError(this.#address, error);
    }
  }

  async has(lane: string, key: string): Promise<boolean> {
    const query = { last_by_subj: subjectOf(this.name, lane, key) };
    try {
      return (await this.#manager.streams.getMessage(this.name, query)) !== null;
    } catch (error) {
      if (hasCode(error, serverCodes.noMessage)) return false;
      throw natsError(this.#address, error);
    }
  }

  async last(): Promise<number> {
    return (await this.#manager.streams.info(this.name)).state.last_seq;
  }

  async *since(lane: string, position: number): AsyncGenerator<PositionedEvent, void, undefined> {
    const subjects = subjectsOf(this.name, lane);
    for (let next = Math.max(1, position); ;) {
      const found = await this.#manager.streams
        .getMessage(this.name, { seq: next, next_by_subj: subjects } as Parameters<
          JetStreamManager['streams']['getMessage']
        >[1])
        .catch((error: unknown) => {
          if (hasCode(error, serverCodes.noMessage)) return null;
          throw error;
        });
      if (!found) return;
      yield { position: found.seq, raw: found.string() };
      next = found.seq + 1;
    }
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }
}

/** Whether the stream has a message of this subject, so that the event is stored. */
function isKnownSubject(error: unknown): boolean {
  return (
    hasCode(error, serverCodes.notStored) && /maximum messages per subject/i.test((error as Error).message)
  );
}

/** Whether the client or the server rejects the size of a message. */
function isTooLarge(error: unknown): boolean {
  return (
    hasCode(error, serverCodes.tooLarge) ||
    (error instanceof InvalidArgumentError && /max_payload/.test(error.message))
  );
}
