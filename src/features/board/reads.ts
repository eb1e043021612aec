import { requestsPerMinute } from '../../contract/limits.ts';
import { messageOf } from '../../errors/command.ts';
import { retryText, signInCommandOf } from '../../errors/hint-of.ts';
import type { Channel } from './channel.ts';
import type { BoardParts, PresenceUpdate, UnreadableUpdate } from './parts.ts';
import { readEveryone } from './read-everyone.ts';
import { reasonOf, type BoardPerson, type PresenceFields } from './state.ts';

/** The share of the service's rate limit that a board may use. The rest remains available for other commands. */
export const rateLimitShare = 0.5;
/** Minimum time between two requests for presence, in milliseconds. They belong to the light usage group. */
export const requestMilliseconds = 60_000 / (requestsPerMinute.Light * rateLimitShare);

/** Reads the presences of people, or the reasons for failed reads. */
export function readAll(
  parts: BoardParts,
  people: readonly BoardPerson[],
  pause: () => Promise<void>,
): AsyncGenerator<PresenceUpdate | UnreadableUpdate, void, undefined> {
  const { api, signal, readsAccount } = parts;
  const update = (id: string, fields: PresenceFields): PresenceUpdate => ({
    kind: 'presence',
    id,
    fields,
  });
  const readOne = (id: string): ReturnType<typeof tryRead> => tryRead(parts, id);
  return readEveryone<PresenceUpdate | UnreadableUpdate>(
    { api, signal, readsAccount, update, readOne },
    people.map(({ id }) => id),
    pause,
  );
}

/** Reads a presence, or the reason for the failed read. Undefined when the board ends. */
export async function tryRead(
  parts: BoardParts,
  id: string,
): Promise<PresenceUpdate | UnreadableUpdate | undefined> {
  try {
    return { kind: 'presence', id, fields: await read(parts, id) };
  } catch (error) {
    if (parts.signal.aborted) return undefined;
    const signIn = signInCommandOf(error);
    const text = signIn ? retryText(error) : messageOf(error);
    return { kind: 'unreadable', id, reason: reasonOf(error), text, signIn };
  }
}

async function read(parts: BoardParts, id: string): Promise<PresenceFields> {
  const presence = await parts.api.presence.get(
    id,
    { detailedTelephonyState: true },
    { signal: parts.signal },
  );
  // A presence without a message has no member `message`. The explicit undefined clears the previous message.
  return { ...presence, message: presence.message };
}

/**
 * Returns a function that runs the same work in each round. It reports a failure and returns undefined. The same failure
 * in the next rounds is not reported again.
 */
export function orWarnOnce(parts: BoardParts): <T>(work: () => Promise<T>) => Promise<T | undefined> {
  let reported: string | undefined;
  return async (work) => {
    try {
      const result = await work();
      reported = undefined;
      return result;
    } catch (error) {
      if (parts.signal.aborted) return undefined;
      const problem = signInCommandOf(error) ? retryText(error) : messageOf(error);
      const text = parts.hintText(problem);
      if (text !== reported) parts.onProblem(problem);
      reported = text;
      return undefined;
    }
  };
}

/** Repeats `work` until a pause rejects because the board ends. */
export async function untilEnd(
  channel: Pick<Channel<unknown>, 'isClosed'>,
  round: () => Promise<void>,
): Promise<void> {
  try {
    while (!channel.isClosed) await round();
  } catch {
    // `sleep` rejects when the board ends.
  }
}
