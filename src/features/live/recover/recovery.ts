import type { Client } from '../../../client/index.ts';
import type { Message } from '../../../contract/message.ts';
import type { SyncReply } from '../../../contract/message-store.ts';
import type { Notification } from '../../../contract/subscription.ts';
import { eventSubject } from '../notification/notification.rows.ts';
import type { EventStore } from '../store/event-store.ts';
import type { SyncPoint } from '../store/sync-points.ts';
import { receivedFrom } from '../notification/notification.ts';
import type { Gap } from '../subscription/renew.ts';

export interface RecoverySettings {
  readonly inbox: EventStore;
  readonly receiver: string;
  readonly api: Client;
  readonly signal: AbortSignal;
  now(): number;
}

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
/** Milliseconds before the previous sync from which a sync repeats changes (SYNC-14), with a margin. */
const overlapMilliseconds = 6000;
/** Number of stored events before a sync point that may announce messages after it. */
const lookBack = 1000;

/**
 * Recovers events that the service did not deliver. Messages are recovered by incremental syncs of their mailboxes,
 * compared with the received notifications. Presence is recovered by reading the current state. Other events cannot
 * be recovered.
 */
export class Recovery {
  readonly #settings: RecoverySettings;
  readonly #filters: readonly string[];

  /** @param filters the filters in effect, which contain extension ids. */
  constructor(filters: readonly string[], settings: RecoverySettings) {
    this.#filters = filters;
    this.#settings = settings;
  }

  /** Creates a sync point for each mailbox that has none; for all mailboxes if `replace`. */
  async begin(replace: boolean): Promise<void> {
    for (const filter of this.#mailboxes()) {
      const extensionId = eventSubject(filter).extensionId ?? '~';
      if (replace || !this.#point(extensionId)) await this.#first(extensionId);
    }
  }

  /** Whether a previous run stored sync points, from which missed messages can be recovered. */
  hasPoints(): boolean {
    return this.#mailboxes().some((filter) => this.#point(eventSubject(filter).extensionId ?? '~'));
  }

  /** Recovers messages since the sync points. Returns the number of messages. */
  async messages(): Promise<number> {
    let found = 0;
    for (const filter of this.#mailboxes()) found += await this.#mailbox(filter);
    return found;
  }

  /** Recovers all events of a gap that can be recovered. */
  async fill(gap: Gap): Promise<RecoveryResult> {
    const messages = await this.messages();
    let snapshots = 0;
    const lost: string[] = [];
    for (const filter of this.#filters) {
      const { name, extensionId } = eventSubject(filter);
      if (name === 'messages') continue;
      if (!name.startsWith('presence') || extensionId === undefined) lost.push(name);
      else {
        await this.#snapshot(filter, extensionId, gap);
        snapshots += 1;
      }
    }
    return { messages, snapshots, lost };
  }

  /** Whether a notification arrived late: all of its messages have already been recovered. */
  isLate(notification: Notification): boolean {
    const { inbox, receiver } = this.#settings;
    const announced = messageIds(notification);
    return (
      announced !== undefined &&
      announced.ids.length > 0 &&
      announced.ids.every((id) => inbox.has(receiver, keyOf(announced.extensionId, id)))
    );
  }

  #mailboxes(): readonly string[] {
    return this.#filters.filter((filter) => eventSubject(filter).name === 'messages');
  }

  #point(extensionId: string): SyncPoint | undefined {
    const { inbox, receiver } = this.#settings;
    return inbox.syncPoints.of(receiver, extensionId);
  }

  #save(extensionId: string, { records, syncInfo }: SyncReply): void {
    const { inbox, receiver } = this.#settings;
    inbox.syncPoints.set(receiver, extensionId, {
      token: syncInfo.syncToken,
      takenAt: Date.parse(syncInfo.syncTime),
      position: inbox.last(),
      known: records.map(({ id }) => String(id)),
    });
  }

  async #first(extensionId: string): Promise<void> {
    // The sync has no real date limit: a limit from the clock of this machine could exclude messages if the clocks
    // differ.
    const dateFrom = '2000-01-01T00:00:00Z';
    const query = { syncType: 'FSync', dateFrom, recordCount: firstSyncRecords };
    this.#save(extensionId, await this.#sync(extensionId, query));
  }

  #sync(extensionId: string, query: Readonly<Record<string, string | number>>): Promise<SyncReply> {
    const { api, signal } = this.#settings;
    const path = `/restapi/v1.0/account/~/extension/${encodeURIComponent(extensionId)}/message-sync`;
    return api.transport.send<SyncReply>({ method: 'GET', path, query }, { signal });
  }

  async #mailbox(filter: string): Promise<number> {
    const { inbox, receiver } = this.#settings;
    const extensionId = eventSubject(filter).extensionId ?? '~';
    const point = this.#point(extensionId);
    if (!point) {
      await this.#first(extensionId);
      return 0;
    }
    const reply = await this.#since(extensionId, point);
    const announced = this.#announced(extensionId, point);
    let found = 0;
    for (const message of inOrder(reply.records)) {
      const id = String(message.id);
      if (point.known.includes(id) || announced.has(id)) continue;
      if (Date.parse(message.creationTime) < point.takenAt - overlapMilliseconds || !matches(filter, message))
        continue;
      const received = receivedFrom(announcement(filter, extensionId, message));
      if ((await inbox.accept(received, receiver, 'recovered')) === 'new') found += 1;
    }
    this.#save(extensionId, reply);
    return found;
  }

  async #since(extensionId: string, point: SyncPoint): Promise<SyncReply> {
    try {
      return await this.#sync(extensionId, { syncType: 'ISync', syncToken: point.token });
    } catch (error) {
      if (!isStaleToken(error)) throw error;
      const dateFrom = new Date(point.takenAt - overlapMilliseconds).toISOString();
      return this.#sync(extensionId, { syncType: 'FSync', dateFrom });
    }
  }

  /** Ids of the messages in received and recovered notifications. */
  #announced(extensionId: string, point: SyncPoint): ReadonlySet<string> {
    const { inbox, receiver } = this.#settings;
    const ids = new Set<string>();
    let position = Math.max(0, point.position - lookBack);
    for (
      let rows = inbox.after(receiver, position);
      rows.length > 0;
      rows = inbox.after(receiver, position)
    ) {
      for (const stored of rows) {
        position = stored.id;
        const notification = stored.raw.includes('newMessageIds') ? stored.notification() : undefined;
        const announced = notification && messageIds(notification);
        if (announced?.extensionId === extensionId) for (const one of announced.ids) ids.add(one);
      }
    }
    return ids;
  }

  async #snapshot(filter: string, extensionId: string, { to }: Gap): Promise<void> {
    const { api, inbox, receiver, signal } = this.#settings;
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
    await inbox.accept(received, receiver, 'gap');
  }
}

/** The notification that the service would have delivered for a message. */
function announcement(filter: string, extensionId: string, message: Message): Notification {
  const type = message.type === 'VoiceMail' ? 'Voicemail' : message.type;
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

function keyOf(extensionId: string, messageId: string): string {
  return `recovered:${extensionId}:${messageId}`;
}

/** Ids of new messages in a notification. Undefined for any other event. */
function messageIds({
  body,
}: Notification): { readonly extensionId: string; readonly ids: readonly string[] } | undefined {
  const changes = body?.['changes'];
  if (!Array.isArray(changes)) return undefined;
  // Accepted notifications are not validated, so a change may be null, and an id may be an object.
  const ids = (changes as ({ readonly newMessageIds?: unknown } | null)[]).flatMap((change) => {
    const named = change?.newMessageIds;
    return Array.isArray(named) ? named.filter((id) => typeof id !== 'object').map(String) : [];
  });
  return { extensionId: textOf(body?.['extensionId']), ids };
}

function textOf(id: unknown): string {
  return typeof id === 'string' || typeof id === 'number' ? String(id) : '';
}

/** The messages that still exist, oldest first. */
function inOrder(records: SyncReply['records']): readonly Message[] {
  const time = ({ creationTime }: Message): number => Date.parse(creationTime);
  return records.filter(isMessage).toSorted((a, b) => time(a) - time(b) || Number(a.id) - Number(b.id));
}

function isMessage(record: SyncReply['records'][number]): record is Message {
  return 'creationTime' in record && record.availability === 'Alive';
}

/** Whether a message matches the type and direction of a filter, if the filter has them. */
function matches(filter: string, message: Message): boolean {
  const query = new URLSearchParams(filter.split('?', 2)[1] ?? '');
  const named = (name: string, value: string): boolean =>
    !query.has(name) || query.getAll(name).some((one) => one.toLowerCase() === value.toLowerCase());
  return named('type', message.type) && named('direction', message.direction);
}

function isStaleToken(error: unknown): boolean {
  return (
    error instanceof Error &&
    'errors' in error &&
    JSON.stringify([error.errors, 'code' in error ? error.code : '']).includes('MSG-333')
  );
}
