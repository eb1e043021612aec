import type { Channel } from './channel.ts';
import { updateOf } from './event-update.ts';
import { BoardMembers } from './members.ts';
import { Outage } from './outage.ts';
import type { BoardFeed, BoardParts, BoardUpdate, PresenceUpdate, UnreadableUpdate } from './parts.ts';
import { requestMilliseconds, tryRead, untilEnd } from './reads.ts';
import { createRereader } from './reread.ts';

/** Milliseconds between two reads of a person of a board with live events, in turn. */
const checkMilliseconds = 20_000;

/**
 * Reads everyone once, then applies events. The subscription already exists, so no event is missed. New members are
 * also read and subscribed to. If events were missed, everyone is read again. Because a receiver does not detect that the
 * service is down, one person is read from time to time, and everyone after an outage. Resolves when no more events can
 * arrive.
 */
export async function follow(
  parts: BoardParts,
  feed: BoardFeed,
  channel: Channel<BoardUpdate>,
): Promise<void> {
  const readMembers = (): void => {
    membersRead = membersRead.then(() => members.read());
  };
  const readEverything = (): void => {
    readMembers();
    for (const { id } of members.present) readAgain(id);
  };
  const outage = new Outage(parts.onOutdated, readEverything);
  const members = new BoardMembers(parts, feed, { channel, outage });
  let membersRead = members.read();
  const take = (update: PresenceUpdate | UnreadableUpdate): void => {
    channel.push(update);
    outage.note(update);
  };
  const readAgain = createRereader<PresenceUpdate | UnreadableUpdate>(channel, {
    read: (id) => tryRead(parts, id),
    onRead: (_id, update) => take(update),
    pause: () => parts.sleep(requestMilliseconds),
  });
  let isOver = false;
  const end = {
    get isClosed() {
      return isOver || channel.isClosed;
    },
  };
  const checks = untilEnd(end, async () => {
    await parts.sleep(checkMilliseconds);
    if (end.isClosed) return;
    if (members.areDue) readMembers();
    const next = members.next();
    if (!next) return;
    const update = await tryRead(parts, next.id);
    if (update) take(update);
  });
  for await (const notification of feed.notifications()) {
    if ('missed' in notification) {
      readEverything();
      channel.push({ kind: 'missed' });
      continue;
    }
    const update = updateOf(notification);
    if (update === 'members') readMembers();
    else if (update) {
      channel.push(update);
      readAgain(update.id);
    }
  }
  isOver = true;
  await membersRead;
  if (channel.isClosed) await checks;
}
