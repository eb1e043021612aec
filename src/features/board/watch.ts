import type { Client } from '../../client/index.ts';
import { requestsPerMinute } from '../../contract/limits.ts';
import type { Notification } from '../../contract/subscription.ts';
import type { BoardScreen } from '../../runtime/output.ts';
import { messageOf } from '../../errors/command.ts';
import type { UnreadableReason, BoardRow } from './board.rows.ts';
import { Channel } from './channel.ts';
import type { MissedEvents } from './notification-queue.ts';
import { Outage } from './outage.ts';
import { readEveryone, usesAccountRead } from './read-everyone.ts';
import { createRereader } from './reread.ts';
import { Board, reasonOf, type BoardPerson, type PresenceFields } from './state.ts';

/** A source of live events: a subscription with its receiver. */
export interface BoardFeed {
  notifications(): AsyncIterable<Notification | MissedEvents>;
  watch(eventFilters: readonly string[]): Promise<void>;
}

export interface BoardParts {
  readonly api: Pick<Client, 'presence'>;
  readonly title: string;
  /** The people of the board; called again when they may have changed. */
  people(): Promise<readonly BoardPerson[]>;
  /** Undefined for polling. */
  readonly feed: BoardFeed | undefined;
  /** Whether the set of people can change. If so, the board also subscribes to events about members. */
  readonly followsMembers: boolean;
  /** Whether one request can read the presences of the account. */
  readonly readsAccount: boolean;
  /** Minimum time between two polls of a person, in seconds. */
  readonly intervalSeconds: number;
  now(): number;
  /** Waits; rejects when the board ends. */
  sleep(milliseconds: number): Promise<void>;
  readonly signal: AbortSignal;
  /** Receives the message of a failed request; the board continues. */
  readonly onProblem: (text: string) => void;
}

/** The share of the service's rate limit that a board may use. The rest remains available for other commands. */
const share = 0.5;
/** Minimum time between two requests for presence, in milliseconds. They belong to the light usage group. */
const requestMilliseconds = 60_000 / (requestsPerMinute.Light * share);
/** Minimum time between two reads of the account, which belong to the heavy usage group. */
const accountReadMilliseconds = 60_000 / (requestsPerMinute.Heavy * share);
/** Milliseconds between two updates of the durations. */
const tick = 5000;
/** Milliseconds between two reads of a person of a board with live events, in turn. */
const checkMilliseconds = 20_000;
const membersChange = 'CallQueueMembersChange';

const boardHelp = [
  [
    'FOR',
    'time in this state, or since the start of the call; 5m+ means at least five minutes, ? means not known yet',
  ],
  [
    'CALL',
    'the caller and, after →, the queue of a call to a queue; for an outbound call, the called number',
  ],
  ['QUEUE CALLS', 'whether the person accepts calls from queues'],
] as const;

/** Explains durations whose start the service does not report; empty if every start is known. */
function notesOf(rows: readonly BoardRow[]): BoardScreen<BoardRow>['notes'] {
  if (rows.every(({ isStartKnown }) => isStartKnown)) return [];
  return [{ column: 'FOR', text: 'FOR: ? means before this board opened; 5m+ means at least 5 minutes' }];
}

interface PresenceUpdateEvent {
  readonly kind: 'presence';
  readonly id: string;
  readonly fields: PresenceFields;
  /** Time of the event in milliseconds since 1970; undefined for a read. */
  readonly at?: number | undefined;
}
interface UnreadableUpdate {
  readonly kind: 'unreadable';
  readonly id: string;
  readonly reason: UnreadableReason;
  /** The message of the error. */
  readonly text: string;
}
type BoardUpdate =
  | PresenceUpdateEvent
  | UnreadableUpdate
  | { readonly kind: 'people'; readonly people: readonly BoardPerson[] }
  | { readonly kind: 'missed' }
  | { readonly kind: 'tick' };

/** Returns the event filters that keep a board of these people up to date. */
export function boardFilters(people: readonly BoardPerson[], followsMembers: boolean): readonly string[] {
  const account = '/restapi/v1.0/account/~/extension';
  return [
    ...people.map(({ id }) => `${account}/${id}/presence?detailedTelephonyState=true`),
    ...(followsMembers ? [account] : []),
  ];
}

/**
 * Yields a screen for each change until the signal aborts. Reads everyone once; then events or polling provide the
 * updates.
 */
export async function* watchBoard(parts: BoardParts): AsyncGenerator<BoardScreen<BoardRow>, void, undefined> {
  const board = new Board();
  const channel = new Channel<BoardUpdate>();
  const end = (): void => channel.close();
  parts.signal.addEventListener('abort', end);
  if (parts.signal.aborted) end();
  let missedAt: number | undefined;
  const screen = (changed: readonly BoardRow[]): BoardScreen<BoardRow> => ({
    title: `${parts.title}  ${board.summary()}`,
    rows: board.rows(),
    footer: footerOf(parts, missedAt),
    help: boardHelp,
    notes: notesOf(board.rows()),
    changed,
  });
  const sources = [
    ticks(parts, channel),
    parts.feed ? follow(parts, parts.feed, channel) : poll(parts, channel),
  ];
  try {
    for await (const update of channel.read()) {
      if (update.kind === 'people') board.setPeople(update.people, parts.now());
      if (update.kind === 'missed') missedAt = parts.now();
      const row = applyUpdate(board, update, parts.now());
      if (row && update.kind === 'unreadable') parts.onProblem(`${row.name}: ${update.text}`);
      if (row) yield screen([row]);
      else if (update.kind !== 'presence' && update.kind !== 'unreadable') yield screen([]);
    }
  } finally {
    parts.signal.removeEventListener('abort', end);
    channel.close();
    // The sources end when the signal aborts. If the output was closed first, this code does not wait for
    // the sources.
    if (parts.signal.aborted) await Promise.allSettled(sources);
  }
}

function footerOf(parts: BoardParts, missedAt: number | undefined): string {
  const missed =
    missedAt === undefined
      ? ''
      : ` · events were missed, and everyone was read again at ${timeText(missedAt)}`;
  return `${parts.feed ? 'live' : 'polling'} · ${timeText(parts.now())} UTC${missed}`;
}

/** `12:30:59` */
function timeText(at: number): string {
  return new Date(at).toISOString().slice(11, 19);
}

function applyUpdate(board: Board, update: BoardUpdate, now: number): BoardRow | undefined {
  if (update.kind === 'presence') return board.update(update.id, update.fields, now, update.at);
  return update.kind === 'unreadable' ? board.markUnreadable(update.id, update.reason) : undefined;
}

async function ticks(parts: BoardParts, channel: Channel<BoardUpdate>): Promise<void> {
  await untilEnd(channel, async () => {
    await parts.sleep(tick);
    channel.push({ kind: 'tick' });
  });
}

/**
 * Reads everyone once, then applies events. The subscription already exists, so no event is missed. New members are
 * also read and subscribed to. If events were missed, everyone is read again. Because a receiver does not detect that the service is down, one person is read from
 * time to time, and everyone after an outage.
 */
async function follow(parts: BoardParts, feed: BoardFeed, channel: Channel<BoardUpdate>): Promise<void> {
  let present: readonly BoardPerson[] = [];
  const readMembers = async (): Promise<void> => {
    const people = await orWarn(parts, () => parts.people());
    if (!people) return;
    const known = new Set(present.map(({ id }) => id));
    const fresh = people.filter(({ id }) => !known.has(id));
    channel.push({ kind: 'people', people });
    if (present.length > 0 && fresh.length > 0) {
      await orWarn(parts, () => feed.watch(boardFilters(people, parts.followsMembers)));
    }
    present = people;
    for await (const update of readAll(parts, fresh, () => Promise.resolve())) channel.push(update);
  };
  let membersRead = readMembers();
  const readEverything = (): void => {
    membersRead = membersRead.then(readMembers);
    for (const { id } of present) readAgain(id);
  };
  const outage = new Outage(parts.onProblem, readEverything);
  const take = (update: PresenceUpdateEvent | UnreadableUpdate): void => {
    channel.push(update);
    outage.note(update.kind === 'unreadable' && update.reason === 'no response' ? update.text : undefined);
  };
  const readAgain = createRereader<PresenceUpdateEvent | UnreadableUpdate>(channel, {
    read: (id) => tryRead(parts, id),
    onRead: (_id, update) => take(update),
    pause: () => parts.sleep(requestMilliseconds),
  });
  const checks = untilEnd(channel, async () => {
    await parts.sleep(checkMilliseconds);
    const [next, ...others] = present;
    if (!next) return;
    present = [...others, next];
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
    if (update === 'members') membersRead = membersRead.then(readMembers);
    else if (update) {
      channel.push(update);
      readAgain(update.id);
    }
  }
  await Promise.all([membersRead, checks]);
}

function updateOf({ body, timestamp }: Notification): PresenceUpdateEvent | 'members' | undefined {
  const event = (body ?? {}) as PresenceFields & {
    readonly extensionId?: string | number;
    readonly extensions?: readonly { readonly hints?: readonly string[] }[];
  };
  if (event.extensions?.some(({ hints }) => hints?.includes(membersChange))) return 'members';
  if (event.extensionId === undefined) return undefined;
  return { kind: 'presence', id: String(event.extensionId), fields: event, at: timeOf(timestamp) };
}

/** Returns the time of an event. Services write the offset as `Z`, `+0000` or `+00:00`. */
function timeOf(timestamp: unknown): number | undefined {
  const text = typeof timestamp === 'string' ? timestamp.replace(/([+-]\d{2})(\d{2})$/, '$1:$2') : '';
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}

/**
 * Polls everyone, no faster than the share of the rate limit and the interval permit. The first round has no pauses.
 */
async function poll(parts: BoardParts, channel: Channel<BoardUpdate>): Promise<void> {
  let between = 0;
  await untilEnd(channel, async () => {
    const started = parts.now();
    const people = (await orWarn(parts, () => parts.people())) ?? [];
    channel.push({ kind: 'people', people });
    const pause = (): Promise<void> => (between > 0 ? parts.sleep(between) : Promise.resolve());
    for await (const update of readAll(parts, people, pause)) channel.push(update);
    const spent = parts.now() - started;
    const one = usesAccountRead(parts, people.length) ? accountReadMilliseconds : requestMilliseconds;
    const requests = usesAccountRead(parts, people.length) ? 1 : people.length + 1;
    const minimum = between > 0 ? one : one * requests;
    await parts.sleep(Math.max(minimum - spent, parts.intervalSeconds * 1000 - spent, 0));
    between = requestMilliseconds;
  });
}

/** Reads the presences of people, or the reasons for failed reads. */
function readAll(
  parts: BoardParts,
  people: readonly BoardPerson[],
  pause: () => Promise<void>,
): AsyncGenerator<PresenceUpdateEvent | UnreadableUpdate, void, undefined> {
  const { api, signal, readsAccount } = parts;
  const update = (id: string, fields: PresenceFields): PresenceUpdateEvent => ({
    kind: 'presence',
    id,
    fields,
  });
  const readOne = (id: string): ReturnType<typeof tryRead> => tryRead(parts, id);
  return readEveryone<PresenceUpdateEvent | UnreadableUpdate>(
    { api, signal, readsAccount, update, readOne },
    people.map(({ id }) => id),
    pause,
  );
}

/** Reads a presence, or the reason for the failed read. Undefined when the board ends. */
async function tryRead(
  parts: BoardParts,
  id: string,
): Promise<PresenceUpdateEvent | UnreadableUpdate | undefined> {
  try {
    return { kind: 'presence', id, fields: await read(parts, id) };
  } catch (error) {
    if (parts.signal.aborted) return undefined;
    return { kind: 'unreadable', id, reason: reasonOf(error), text: messageOf(error) };
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

/** Reports a failure and returns undefined; the next round retries. */
async function orWarn<T>(parts: BoardParts, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!parts.signal.aborted) parts.onProblem(messageOf(error));
    return undefined;
  }
}

/** Repeats `work` until a pause rejects because the board ends. */
async function untilEnd(channel: Channel<BoardUpdate>, round: () => Promise<void>): Promise<void> {
  try {
    while (!channel.isClosed) await round();
  } catch {
    // `sleep` rejects when the board ends.
  }
}
