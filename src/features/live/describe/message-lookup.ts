import { unlessAborted } from '../../../platform/aborted.ts';
import { limitTime } from '../../../platform/time-limit.ts';
import type { Client } from '../../../client/index.ts';
import type { Message } from '../../../contract/message.ts';
import { messageOf } from '../../../errors/command.ts';
import { isRejectedByService } from '../../../errors/service-codes.ts';
import { extensionOf, isoTime } from '../notification/notification.rows.ts';
import type { EventMessages } from '../store/event-messages.ts';
import { countOf, membersOf, objectsOf, wordOf } from './body-values.ts';
import type { DescribableEvent } from './describe-event.ts';
import { lookupTable } from '../../../platform/lookup-table.ts';

export interface MessageLookupSettings {
  readonly api: () => Promise<Pick<Client, 'messages'>>;
  readonly store: Pick<EventMessages, 'of' | 'set'>;
  /** Aborts when the run ends. */
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Reports the first failure. */
  readonly warn: (text: string) => void;
  /** Limits the time of a lookup; replaced in tests. */
  readonly limit?: typeof limitTime;
}

/** Milliseconds for which the line of an event waits for the text of its message. */
const maxWaitMilliseconds = 5000;
/** Largest number of messages that are read for one event. */
const maxMessages = 10;
/** Lookups per minute: less than half of the rate limit for reading messages, which other commands also need. */
const maxPerMinute = 20;
const minute = 60_000;
/** Number of events whose lookup is remembered for a second reader, such as the inspector. */
const maxRemembered = 200;
/** Number of found messages that no other event without IDs can have. */
const maxShown = 2000;
/** Milliseconds by which a message can be newer than its event, whose time may have no fraction of a second. */
const toleranceMilliseconds = 1000;
/** Milliseconds by which a message can be older than its event. */
const maxAgeMilliseconds = 60_000;

/** The information of a mailbox event about its new messages. */
interface NewMessages {
  readonly extensionId: string;
  readonly ids: readonly string[];
  readonly types: readonly string[];
  readonly count: number;
  /** Time of the event in milliseconds since 1970; undefined if the event has none. */
  readonly time: number | undefined;
}

/**
 * Reads the new messages of a mailbox event, which contains only counts and IDs. A lookup never fails: if there is no
 * result in time, the event is shown without the text.
 */
export class MessageLookup {
  readonly #settings: MessageLookupSettings;
  readonly #lookups = new Map<number, Promise<readonly unknown[] | undefined>>();
  #startedAt: readonly number[] = [];
  /** Messages of events, oldest first, so that no other event shows them. */
  readonly #shown = new Set<string>();
  #isReported = false;
  #isForbidden = false;

  constructor(settings: MessageLookupSettings) {
    this.#settings = settings;
  }

  /**
   * Returns the new messages of an event, newest first. Undefined for any other event, and if the messages could not be
   * read in time.
   */
  of(eventId: number, event: DescribableEvent): Promise<readonly unknown[] | undefined> {
    const wanted = newMessages(event);
    if (!wanted) return Promise.resolve(undefined);
    const lookup = this.#lookups.get(eventId) ?? this.#lookUp(eventId, wanted);
    this.#lookups.set(eventId, lookup);
    const [oldest] = this.#lookups.keys();
    if (this.#lookups.size > maxRemembered && oldest !== undefined) this.#lookups.delete(oldest);
    return lookup;
  }

  async #lookUp(eventId: number, wanted: NewMessages): Promise<readonly unknown[] | undefined> {
    const { signal, store, limit = limitTime } = this.#settings;
    const stored = this.#stored(eventId);
    if (stored) return stored;
    if (signal.aborted || !this.#mayStart()) return undefined;
    const time = limit(signal, maxWaitMilliseconds);
    try {
      const messages = await unlessAborted(this.#read(wanted, time.signal), time.signal);
      if (messages.length === 0) return undefined;
      store.set(eventId, messages);
      return messages;
    } catch (error) {
      // A lookup that took too long is not a failure.
      if (!time.signal.aborted) this.#report(error);
      return this.#stored(eventId);
    } finally {
      time.end();
    }
  }

  #stored(eventId: number): readonly unknown[] | undefined {
    try {
      return this.#settings.store.of(eventId);
    } catch {
      // The text is not essential. The reader of the events reports a damaged store.
      return undefined;
    }
  }

  /** Whether the share of the rate limit permits a lookup now. */
  #mayStart(): boolean {
    const now = this.#settings.now();
    this.#startedAt = this.#startedAt.filter((at) => Math.abs(now - at) < minute);
    if (this.#isForbidden || this.#startedAt.length >= maxPerMinute) return false;
    this.#startedAt = [...this.#startedAt, now];
    return true;
  }

  async #read(wanted: NewMessages, signal: AbortSignal): Promise<readonly Message[]> {
    const { extensionId, ids } = wanted;
    const { messages } = await this.#settings.api();
    const found: Message[] = [];
    if (ids.length > 0) {
      for await (const { message } of messages.getMany(ids, undefined, { extensionId, signal }))
        if (message) found.push(message);
    } else found.push(...(await this.#newest(messages, wanted, signal)));
    for (const { id } of found) this.#remember(`${extensionId} ${id}`);
    return found.toSorted((a, b) => timeOf(b) - timeOf(a));
  }

  /** Reads the newest messages that can be those of an event without IDs, which other messages may have followed. */
  async #newest(
    messages: Client['messages'],
    { extensionId, types, count, time }: NewMessages,
    signal: AbortSignal,
  ): Promise<readonly Message[]> {
    const most = Math.min(count, maxMessages);
    const filter = types.length > 0 ? { messageType: types } : {};
    const listed: Message[] = [];
    for await (const message of messages.list(extensionId, filter, { limit: most + maxMessages, signal }))
      listed.push(message);
    const isNew = (message: Message): boolean => !this.#shown.has(`${extensionId} ${message.id}`);
    return listed.filter((message) => isNear(message, time) && isNew(message)).slice(0, most);
  }

  #remember(key: string): void {
    this.#shown.add(key);
    const [oldest] = this.#shown;
    if (this.#shown.size > maxShown && oldest !== undefined) this.#shown.delete(oldest);
  }

  #report(error: unknown): void {
    const { warn } = this.#settings;
    if (isRejectedByService(error, 403)) this.#isForbidden = true;
    if (this.#isReported) return;
    this.#isReported = true;
    warn(`could not read the text of a message: ${messageOf(error)}; ucctl shows the event without the text`);
  }
}

const messageTypes: Readonly<Record<string, string>> = lookupTable({
  sms: 'SMS',
  fax: 'Fax',
  voicemail: 'VoiceMail',
  pager: 'Pager',
});

/** Returns the new messages of a mailbox event; undefined for an event without new messages. */
function newMessages(event: DescribableEvent): NewMessages | undefined {
  const [path = ''] = event.event.split('?', 1);
  if (!path.endsWith('/message-store')) return undefined;
  const changes = objectsOf(membersOf(event.body)['changes']);
  const added = changes.filter(({ newCount }) => countOf(newCount) > 0);
  const count = added.reduce((sum, { newCount }) => sum + countOf(newCount), 0);
  const extensionId = extensionOf(event);
  if (count === 0 || extensionId === undefined) return undefined;
  const ids = added
    .flatMap(({ newMessageIds }) => (Array.isArray(newMessageIds) ? newMessageIds.map(wordOf) : []))
    .filter(Boolean);
  const types = added.flatMap(({ type }) => messageTypes[wordOf(type).toLowerCase()] ?? []);
  const time = Date.parse(isoTime(membersOf(event.body)['lastUpdated']) ?? '');
  return {
    extensionId,
    ids: ids.slice(-maxMessages),
    types,
    count,
    time: Number.isNaN(time) ? undefined : time,
  };
}

/** Whether a message was created shortly before an event; true if the event has no time. */
function isNear(message: Message, time: number | undefined): boolean {
  if (time === undefined) return true;
  const age = time - timeOf(message);
  return age >= -toleranceMilliseconds && age <= maxAgeMilliseconds;
}

function timeOf({ creationTime }: Message): number {
  return Date.parse(creationTime ?? '') || 0;
}
