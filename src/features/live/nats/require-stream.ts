import { JetStreamApiError, jetstream, type JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { CommandError, Exit } from '../../../errors/command.ts';
import type { NatsAddress } from '../../../platform/nats-address.ts';
import { permissionViolation } from './nats-error.ts';
import { differencesOf, newStreamConfig } from './stream-config.ts';
import { subjectOf, subjectsOf } from './subject.ts';

/** Milliseconds in which the server must reply to a check. */
const checkMilliseconds = 2500;
/**
 * Error codes of the server: the message was rejected by a limit of the stream or is too large for it, a stream or message
 * was not found, the message is for another stream, the stream has a later message, or another stream has the subjects.
 */
export const serverCodes = {
  notStored: 10_077,
  tooLarge: 10_054,
  noStream: 10_059,
  noMessage: 10_037,
  otherStream: 10_060,
  wrongLast: 10_071,
  overlap: 10_065,
};

/** Creates the stream unless it exists, and checks its configuration. @returns whether it is new. */
export async function requireStream(
  manager: JetStreamManager,
  address: NatsAddress,
  retainSeconds: number,
): Promise<boolean> {
  const { stream, replicas } = address;
  const found = await manager.streams.info(stream).catch((error: unknown) => {
    if (hasCode(error, serverCodes.noStream)) return undefined;
    throw error;
  });
  const { config } =
    found ?? (await createStream(manager, stream, newStreamConfig(stream, retainSeconds, replicas)));
  const differences = differencesOf(config, stream);
  if (differences.length === 0) return !found;
  throw new CommandError(
    'stream_differs',
    Exit.conflict,
    `stream ${stream} would lose or duplicate events: ${differences.join('; ')}`,
    {
      hint: 'use a new stream name, for which ucctl creates the stream, or change the configuration of the stream',
    },
  );
}

/** @throws {CommandError} `stream_differs` (exit 11), `nats_not_usable` (exit 12). */
async function createStream(
  manager: JetStreamManager,
  stream: string,
  config: ReturnType<typeof newStreamConfig>,
): ReturnType<JetStreamManager['streams']['add']> {
  try {
    return await manager.streams.add(config);
  } catch (cause) {
    if (permissionViolation(cause))
      throw new CommandError(
        'nats_not_usable',
        Exit.local,
        `stream ${stream} does not exist, and the user may not create streams`,
        {
          hint: `use an existing stream, or permit the user to publish to "$JS.API.STREAM.CREATE.${stream}"`,
          cause,
        },
      );
    if (!hasCode(cause, serverCodes.overlap)) throw cause;
    const subjects = subjectsOf(stream);
    const other = await manager.streams.find(subjects).catch(() => undefined);
    throw new CommandError(
      'stream_differs',
      Exit.conflict,
      `stream ${stream} cannot be created, because ${other === undefined ? 'another stream' : `stream ${other}`} stores the subjects "${subjects}"`,
      { hint: 'use another stream name, or remove these subjects from the other stream', cause },
    );
  }
}

/**
 * Checks that the user may publish events, with a message that the server rejects because it is for another stream.
 * @throws the error of the server if the user may not publish.
 */
export async function requirePublishing(connection: NatsConnection, stream: string): Promise<void> {
  const client = jetstream(connection, { timeout: checkMilliseconds });
  await client
    .publish(subjectOf(stream, '', 'check'), '', { expect: { streamName: '-' } })
    .catch((error: unknown) => {
      if (!hasCode(error, serverCodes.otherStream)) throw error;
    });
}

/** Whether an error is a reply of the server with this code. */
export function hasCode(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}
