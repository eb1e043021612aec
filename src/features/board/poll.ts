import { requestsPerMinute } from '../../contract/limits.ts';
import type { Channel } from './channel.ts';
import { Outage } from './outage.ts';
import type { BoardParts, BoardUpdate } from './parts.ts';
import { usesAccountRead } from './read-everyone.ts';
import { orWarnOnce, rateLimitShare, readAll, requestMilliseconds, untilEnd } from './reads.ts';
import type { BoardPerson } from './state.ts';

/** Minimum time between two reads of the account, which belong to the heavy usage group. */
const accountReadMilliseconds = 60_000 / (requestsPerMinute.Heavy * rateLimitShare);

/**
 * Polls everyone, no faster than the share of the rate limit and the interval permit. The first round has no pauses.
 */
export async function poll(parts: BoardParts, channel: Channel<BoardUpdate>): Promise<void> {
  let between = 0;
  const readPeople = orWarnOnce(parts);
  let people: readonly BoardPerson[] = [];
  // The next round reads everyone anyway.
  const outage = new Outage(parts.onOutdated, () => undefined);
  await untilEnd(channel, async () => {
    const started = parts.now();
    // After a failure, the people of the last round remain on the board.
    people = (await readPeople(() => parts.people())) ?? people;
    channel.push({ kind: 'people', people });
    const pause = (): Promise<void> => (between > 0 ? parts.sleep(between) : Promise.resolve());
    for await (const update of readAll(parts, people, pause)) {
      channel.push(update);
      outage.noteInRound(update, people.length);
    }
    // The clock may have been set back during the round.
    const spent = Math.max(0, parts.now() - started);
    const minimum = usesAccountRead(parts, people.length)
      ? accountReadMilliseconds
      : requestMilliseconds * (parts.peopleRequests + people.length);
    await parts.sleep(Math.max(minimum - spent, parts.intervalSeconds * 1000 - spent, 0));
    between = requestMilliseconds;
  });
}
