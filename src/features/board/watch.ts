import type { Client } from '../../client/index.ts';
import { requestsPerMinute } from '../../contract/limits.ts';
import type { Notification } from '../../contract/subscription.ts';
import type { BoardFrame } from '../../runtime/output.ts';
import { messageOf } from '../../errors/command.ts';
import type { BlindReason, BoardRow } from './board.rows.ts';
import { Channel } from './channel.ts';
import { rereading } from './reread.ts';
import { Board, reasonOf, type BoardPerson, type PresenceFields } from './state.ts';

/** A source of events: a subscription with its listener. */
export interface BoardFeed {
  notifications(): AsyncIterable<Notification>;
  watch(eventFilters: readonly string[]): Promise<void>;
}

export interface BoardParts {
  readonly api: Pick<Client, 'presence'>;
  readonly title: string;
  /** Who is on the board now; asked again when it may have changed. */
  people(): Promise<readonly BoardPerson[]>;
  /** Undefined: the presences are read again and again. */
  readonly feed: BoardFeed | undefined;
  /** Whether people come and go: then the events of members are followed too. */
  readonly followsMembers: boolean;
  /** Shortest time between two readings of the same person, in seconds. */
  readonly intervalSeconds: number;
  now(): number;
  /** Rejects when the watching ends. */
  sleep(milliseconds: number): Promise<void>;
  readonly signal: AbortSignal;
  /** A reading that failed, in words; the watching goes on. */
  readonly onTrouble: (text: string) => void;
}

/** The share of the service's rate limit that a board may use: other commands need the rest. */
const share = 0.5;
/** A request for presence is of the light group. */
const requestMilliseconds = 60_000 / (requestsPerMinute.Light * share);
/** How often the times on the board move on. */
const tick = 5000;
const membersChange = 'CallQueueMembersChange';

interface PresenceNews {
  readonly kind: 'presence';
  readonly id: string;
  readonly fields: PresenceFields;
}
interface BlindNews {
  readonly kind: 'blind';
  readonly id: string;
  readonly reason: BlindReason;
  /** What failed, in words. */
  readonly text: string;
}
type News =
  | PresenceNews
  | BlindNews
  | { readonly kind: 'people'; readonly people: readonly BoardPerson[] }
  | { readonly kind: 'tick' };

/** The filters that keep a board of these people up to date. */
export function boardFilters(people: readonly BoardPerson[], followsMembers: boolean): readonly string[] {
  const account = '/restapi/v1.0/account/~/extension';
  return [
    ...people.map(({ id }) => `${account}/${id}/presence?detailedTelephonyState=true`),
    ...(followsMembers ? [account] : []),
  ];
}

/** States of a board of people, from now until the signal aborts. Everyone is read once; then events, or reading in turn, bring the changes. */
export async function* watchBoard(parts: BoardParts): AsyncGenerator<BoardFrame<BoardRow>, void, undefined> {
  const board = new Board();
  const channel = new Channel<News>();
  const end = (): void => channel.close();
  parts.signal.addEventListener('abort', end);
  if (parts.signal.aborted) end();
  const frame = (changed: readonly BoardRow[]): BoardFrame<BoardRow> => ({
    title: `${parts.title}  ${board.summary()}`,
    rows: board.rows(),
    footer: `${parts.feed ? 'live' : 'read in turn'} · ${new Date(parts.now()).toISOString().slice(11, 19)} UTC · Ctrl-C ends`,
    changed,
  });
  const sources = [
    ticks(parts, channel),
    parts.feed ? follow(parts, parts.feed, channel) : poll(parts, channel),
  ];
  try {
    for await (const news of channel.read()) {
      if (news.kind === 'people') board.setPeople(news.people, parts.now());
      const row = takeIn(board, news, parts.now());
      if (row && news.kind === 'blind') parts.onTrouble(`${row.name}: ${news.text}`);
      if (row) yield frame([row]);
      else if (news.kind === 'people' || news.kind === 'tick') yield frame([]);
    }
  } finally {
    parts.signal.removeEventListener('abort', end);
    channel.close();
    // They end with the signal; where the reader left first, nobody waits for them.
    if (parts.signal.aborted) await Promise.allSettled(sources);
  }
}

function takeIn(board: Board, news: News, now: number): BoardRow | undefined {
  if (news.kind === 'presence') return board.update(news.id, news.fields, now);
  return news.kind === 'blind' ? board.blind(news.id, news.reason) : undefined;
}

async function ticks(parts: BoardParts, channel: Channel<News>): Promise<void> {
  await untilEnd(channel, async () => {
    await parts.sleep(tick);
    channel.push({ kind: 'tick' });
  });
}

/** Everyone once, then events. The subscription is there already, so nothing falls between; whoever joins is read and followed too. */
async function follow(parts: BoardParts, feed: BoardFeed, channel: Channel<News>): Promise<void> {
  let present: readonly BoardPerson[] = [];
  const seat = async (): Promise<void> => {
    const people = await trying(parts, () => parts.people());
    if (!people) return;
    const known = new Set(present.map(({ id }) => id));
    const fresh = people.filter(({ id }) => !known.has(id));
    channel.push({ kind: 'people', people });
    if (present.length > 0 && fresh.length > 0) {
      await trying(parts, () => feed.watch(boardFilters(people, parts.followsMembers)));
    }
    present = people;
    for (const { id } of fresh) {
      const news = await look(parts, id);
      if (news) channel.push(news);
    }
  };
  let seating = seat();
  const readAgain = rereading<PresenceNews | BlindNews>(channel, {
    read: (id) => look(parts, id),
    onRead: (_id, news) => channel.push(news),
    pause: () => parts.sleep(requestMilliseconds),
  });
  for await (const notification of feed.notifications()) {
    const news = newsOf(notification);
    if (news === 'members') seating = seating.then(seat);
    else if (news) {
      channel.push(news);
      readAgain(news.id);
    }
  }
  await seating;
}

function newsOf({ body }: Notification): PresenceNews | 'members' | undefined {
  const event = (body ?? {}) as PresenceFields & {
    readonly extensionId?: string | number;
    readonly extensions?: readonly { readonly hints?: readonly string[] }[];
  };
  if (event.extensions?.some(({ hints }) => hints?.includes(membersChange))) return 'members';
  if (event.extensionId === undefined) return undefined;
  return { kind: 'presence', id: String(event.extensionId), fields: event };
}

/** Reads everyone in turn, no faster than the share of the rate limit and the interval allow. The first round does not wait between. */
async function poll(parts: BoardParts, channel: Channel<News>): Promise<void> {
  let between = 0;
  await untilEnd(channel, async () => {
    const started = parts.now();
    const people = (await trying(parts, () => parts.people())) ?? [];
    channel.push({ kind: 'people', people });
    for (const { id } of people) {
      if (between > 0) await parts.sleep(between);
      const news = await look(parts, id);
      if (news) channel.push(news);
    }
    const spent = parts.now() - started;
    const owed = between > 0 ? requestMilliseconds : requestMilliseconds * (people.length + 1);
    await parts.sleep(Math.max(owed - spent, parts.intervalSeconds * 1000 - spent, 0));
    between = requestMilliseconds;
  });
}

/** What a reading brings: the presence, or why there is none. Undefined at the end of the watching. */
async function look(parts: BoardParts, id: string): Promise<PresenceNews | BlindNews | undefined> {
  try {
    return { kind: 'presence', id, fields: await read(parts, id) };
  } catch (error) {
    if (parts.signal.aborted) return undefined;
    return { kind: 'blind', id, reason: reasonOf(error), text: messageOf(error) };
  }
}

async function read(parts: BoardParts, id: string): Promise<PresenceFields> {
  const presence = await parts.api.presence.get(
    id,
    { detailedTelephonyState: true },
    { signal: parts.signal },
  );
  // Left out when there is none, and there may have been one.
  return { ...presence, message: presence.message };
}

/** What fails is told and tried again the next time; only the end of the watching ends it. */
async function trying<T>(parts: BoardParts, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!parts.signal.aborted) parts.onTrouble(messageOf(error));
    return undefined;
  }
}

/** Repeats until a wait is cut short by the end of the watching. */
async function untilEnd(channel: Channel<News>, round: () => Promise<void>): Promise<void> {
  try {
    while (!channel.isClosed) await round();
  } catch {
    // `sleep` rejects when the watching ends: there is nothing more to do.
  }
}
