import type { Client } from '../../../client/index.ts';
import type { Message } from '../../../contract/message.ts';
import { messageTypeOf } from '../../../contract/message-type.ts';
import type { SyncReply } from '../../../contract/message-store.ts';
import type { Notification } from '../../../contract/subscription.ts';
import { recoveryOf } from '../notification/event-kinds.ts';
import { eventSubject } from '../notification/notification.rows.ts';
import type { Received } from '../notification/notification.ts';
import type { SyncPoint } from '../store/sync-points.ts';
import { receivedFrom } from '../notification/notification.ts';
import type { Gap } from '../subscription/renew.ts';
import { overlapMilliseconds, syncSince, type SyncQuery } from './sync-since.ts';

/** The events and sync points of one receiver. */
export interface RecoveryStore {
  /** The sync point of a mailbox. */
  point(extensionId: string): Awaitable<SyncPoint | undefined>;
  /** Stores a sync point whose position is the newest event. */
  savePoint(extensionId: string, point: Omit<SyncPoint, 'position'>): Awaitable<void>;
  /** The notifications of a mailbox that arrived after a sync point, and some before it that may announce messages after it. */
  since(extensionId: string, point: SyncPoint): Iterable<Notification> | AsyncIterable<Notification>;
  /** Stores an event. Resolves when it is durable. */
  add(received: Received, origin: 'recovered' | 'gap'): Promise<'new' | 'duplicate'>;
}

type Awaitable<T> = T | Promise<T>;

export interface RecoverySettings {
  readonly store: RecoveryStore;
  readonly api: Client;
  readonly signal: AbortSignal;
  now(): number;
}

/** Called before each mailbox with the number of mailboxes that have been read. */
export type OnProgress = (done: number, total: number) => void;

/** The result of a recovery. */
export interface RecoveryResult {
  /** Number of recovered messages. */
  readonly messages: number;
  /** Number of extensions whose current presence was read. */
  readonly snapshots: number;
  /** Filters whose events cannot be recovered. */
  readonly lost: readonly string[];
}

/** Number of messages that the first sync records as known, so that a later sync does not count them as new. */
const firstSyncRecords = 50;
/** Number of stored events before a sync point that may announce messages after it. */
export const lookBack = 1000;

/**
 * Recovers events that the service did not deliver. Messages are recovered by incremental syncs of their mailboxes,
 * compared with the received notifications. Presence is recovered by reading the current state. Other events cannot be
 * recovered.
 */
export class Recovery {
  readonly #settings: RecoverySettings;
  readonly #filters: readonly string[];

  /** @param filters the filters in effect, which contain extension IDs. */
  constructor(filters: readonly string[], settings: RecoverySettings) {
    this.#filters = filters;
    this.#settings = settings;
  }

  /** Creates a sync point for each mailbox without one, or for all mailboxes if `replace` is true. */
  async begin(replace: boolean, onProgress?: OnProgress): Promise<void> {
    const ids = [...this.#mailboxes().keys()];
    for (const [index, extensionId] of ids.entries()) {
      onProgress?.(index, ids.length);
      if (replace || !(await this.#point(extensionId))) await this.#first(extensionId);
    }
  }

  /** Whether a previous run stored sync points, from which missed messages can be recovered. */
  async hasPoints(): Promise<boolean> {
    for (const extensionId of this.#mailboxes().keys()) if (await this.#point(extensionId)) return true;
    return false;
  }

  /** Recovers messages since the sync points. Returns the number of messages. */
  async messages(): Promise<number> {
    let found = 0;
    for (const [extensionId, filters] of this.#mailboxes())
      found += await this.#mailbox(extensionId, filters);
    return found;
  }

  /** Recovers all events of a gap that can be recovered. */
  async fill(gap: Gap): Promise<RecoveryResult> {
    const messages = await this.messages();
    let snapshots = 0;
    const lost: string[] = [];
    for (const filter of this.#filters) {
      const { name, extensionId } = eventSubject(filter);
      const recovery = recoveryOf(name);
      if (recovery === 'messages') continue;
      if (recovery === 'none' || extensionId === undefined) lost.push(name);
      else {
        await this.#snapshot(filter, extensionId, gap);
        snapshots += 1;
      }
    }
    return { messages, snapshots, lost };
  }

  /**
   * Returns the filters of each mailbox by extension. The filters of a mailbox share one sync, because they share its
   * sync point.
   */
  #mailboxes(): ReadonlyMap<string, readonly string[]> {
    const mailboxes = new Map<string, string[]>();
    for (const filter of this.#filters) {
      const { name, extensionId = '~' } = eventSubject(filter);
      if (recoveryOf(name) !== 'messages') continue;
      const filters = mailboxes.get(extensionId);
      if (filters) filters.push(filter);
      else mailboxes.set(extensionId, [filter]);
    }
    return mailboxes;
  }

  #point(extensionId: string): Awaitable<SyncPoint | undefined> {
    return this.#settings.store.point(extensionId);
  }

  async #save(extensionId: string, { records, syncInfo }: SyncReply): Promise<void> {
    const { syncTime } = syncInfo;
    await this.#settings.store.savePoint(extensionId, {
      token: syncInfo.syncToken,
      // A service may omit the time.
      takenAt: syncTime === undefined ? this.#settings.now() : Date.parse(syncTime),
      known: records.map(({ id }) => String(id)),
    });
  }

  async #first(extensionId: string): Promise<void> {
    // The sync has no effective date limit, because a limit from the clock of this machine could exclude
    // messages if the clocks differ.
    const dateFrom = '2000-01-01T00:00:00Z';
    const query = { syncType: 'FSync', dateFrom, recordCount: firstSyncRecords } as const;
    await this.#save(extensionId, await this.#sync(extensionId, query));
  }

  #sync(extensionId: string, query: SyncQuery): Promise<SyncReply> {
    const { api, signal } = this.#settings;
    return api.messages.sync({ ...query }, extensionId, { signal });
  }

  async #mailbox(extensionId: string, filters: readonly string[]): Promise<number> {
    const point = await this.#point(extensionId);
    if (!point) {
      await this.#first(extensionId);
      return 0;
    }
    const reply = await syncSince((query) => this.#sync(extensionId, query), point);
    const announced = await this.#announced(extensionId, point);
    let found = 0;
    for (const message of inOrder(reply.records)) {
      const id = String(message.id);
      if (point.known.includes(id) || announced.has(id)) continue;
      if (Date.parse(message.creationTime) < point.takenAt - overlapMilliseconds) continue;
      const filter = filters.find((one) => matches(one, message));
      if (filter === undefined) continue;
      const received = receivedFrom(announcement(filter, extensionId, message));
      if ((await this.#settings.store.add(received, 'recovered')) === 'new') found += 1;
    }
    await this.#save(extensionId, reply);
    return found;
  }

  /**
   * Returns the IDs of the messages in received and recovered notifications. A notification without IDs announces none.
   * Its count identifies no message: it may mean a deleted message, or repeat the count of another filter or subscription.
   * A missed message would then not be recovered, which is worse than a message that is delivered twice.
   */
  async #announced(extensionId: string, point: SyncPoint): Promise<ReadonlySet<string>> {
    const ids = new Set<string>();
    for await (const notification of this.#settings.store.since(extensionId, point)) {
      const announced = messageIds(notification);
      if (announced?.extensionId === extensionId) for (const one of announced.ids) ids.add(one);
    }
    return ids;
  }

  async #snapshot(filter: string, extensionId: string, { to }: Gap): Promise<void> {
    const { api, store, signal } = this.#settings;
    const query = new URLSearchParams(filter.split('?', 2)[1] ?? '');
    const {
      extension: _extension,
      uri: _uri,
      ...presence
    } = await api.presence.get(
      extensionId,
      { detailedTelephonyState: query.get('detailedTelephonyState') === 'true' },
      { signal },
    );
    const received = receivedFrom({
      uuid: `snapshot:${extensionId}:${to}`,
      event: filter,
      timestamp: new Date(this.#settings.now()).toISOString(),
      body: { extensionId, ...presence },
    });
    await store.add(received, 'gap');
  }
}

/** Returns the notification that the service would have delivered for a message. */
function announcement(filter: string, extensionId: string, message: ExistingMessage): Notification {
  const known = message.type === undefined ? undefined : messageTypeOf(message.type);
  const type = known === 'VoiceMail' ? 'Voicemail' : known;
  return {
    uuid: keyOf(extensionId, String(message.id)),
    event: filter,
    timestamp: message.creationTime,
    body: {
      extensionId,
      lastUpdated: message.lastModifiedTime,
      changes: [{ type, newCount: 1, updatedCount: 0, newMessageIds: [String(message.id)] }],
    },
  };
}

/**
 * Returns the keys that the messages of a notification have if they were recovered. If a receiver has all of them, the
 * notification arrived late. Empty for an event without new messages.
 */
export function recoveredKeys(notification: Notification): readonly string[] {
  const announced = messageIds(notification);
  return announced ? announced.ids.map((id) => keyOf(announced.extensionId, id)) : [];
}

function keyOf(extensionId: string, messageId: string): string {
  return `recovered:${extensionId}:${messageId}`;
}

/** Returns the IDs of new messages in a notification. Undefined for any other event. */
function messageIds({
  body,
}: Notification): { readonly extensionId: string; readonly ids: readonly string[] } | undefined {
  const changes = body?.['changes'];
  if (!Array.isArray(changes)) return undefined;
  // Accepted notifications are not validated, so a change may be null, and an ID may be an object.
  const ids = (changes as ({ readonly newMessageIds?: unknown } | null)[]).flatMap((change) => {
    const named = change?.newMessageIds;
    return Array.isArray(named) ? named.filter((id) => typeof id !== 'object').map(String) : [];
  });
  return { extensionId: textOf(body?.['extensionId']), ids };
}

function textOf(id: unknown): string {
  return typeof id === 'string' || typeof id === 'number' ? String(id) : '';
}

/** A message that is neither deleted nor purged, and has a time. */
type ExistingMessage = Message & { readonly creationTime: string };

/** Returns the messages that still exist, oldest first. */
function inOrder(records: SyncReply['records']): readonly ExistingMessage[] {
  const time = ({ creationTime }: ExistingMessage): number => Date.parse(creationTime);
  return records.filter(isExisting).toSorted((a, b) => time(a) - time(b) || Number(a.id) - Number(b.id));
}

/** A deleted message has an availability and no time (SYNC-12). Availability is Alive by default. */
function isExisting(message: Message): message is ExistingMessage {
  const { creationTime, availability = 'Alive' } = message;
  return creationTime !== undefined && availability === 'Alive';
}

/**
 * Whether a message matches the type and direction of a filter, if the filter has them. A message without a type or
 * direction matches, because its event would otherwise be lost.
 */
function matches(filter: string, { type, direction }: Message): boolean {
  const query = new URLSearchParams(filter.split('?', 2)[1] ?? '');
  const named = (name: string, value: string | undefined): boolean =>
    value === undefined ||
    !query.has(name) ||
    query.getAll(name).some((one) => one.toLowerCase() === value.toLowerCase());
  return named('type', type === undefined ? undefined : messageTypeOf(type)) && named('direction', direction);
}
