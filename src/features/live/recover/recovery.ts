import type { Client } from '../../../client/index.ts';
import type { Message } from '../../../contract/message.ts';
import type { SyncReply } from '../../../contract/message-store.ts';
import type { Notification } from '../../../contract/subscription.ts';
import { eventSubject } from '../notification/describe.ts';
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

/** What a recovery found. */
export interface Recovered {
  /** Messages that had not been delivered. */
  readonly messages: number;
  /** Extensions whose presence was read again. */
  readonly snapshots: number;
  /** Filters whose events cannot be had afterwards. */
  readonly lost: readonly string[];
}

/** Messages that the first sync remembers, so that they are not taken for new later. */
const firstRecords = 50;
/** A sync returns again what changed in the seconds before the previous one (SYNC-14). */
const overlapMilliseconds = 6000;
/** Events before a sync point that may tell of messages after it. */
const lookBack = 1000;

/**
 * Finds what the service did not deliver. Messages by incremental syncs of their mailboxes, compared with what was announced; presence is read as
 * it is now; nothing can be found of other events.
 */
export class Recovery {
  readonly #settings: RecoverySettings;
  readonly #filters: readonly string[];

  /** @param filters those in effect, with ids of extensions. */
  constructor(filters: readonly string[], settings: RecoverySettings) {
    this.#filters = filters;
    this.#settings = settings;
  }

  /** Notes where each mailbox stands now. Those that a run before has noted stay where they are, unless `anew`. */
  async begin(anew: boolean): Promise<void> {
    for (const filter of this.#mailboxes()) {
      const extensionId = eventSubject(filter).extensionId ?? '~';
      if (anew || !this.#point(extensionId)) await this.#first(extensionId);
    }
  }

  /** Whether a run before has left points from which its gap can be filled. */
  hasPoints(): boolean {
    return this.#mailboxes().some((filter) => this.#point(eventSubject(filter).extensionId ?? '~'));
  }

  /** Fills what is missing of messages since the last time. */
  async messages(): Promise<number> {
    let found = 0;
    for (const filter of this.#mailboxes()) found += await this.#mailbox(filter);
    return found;
  }

  /** Fills a gap with everything that can be found. */
  async fill(gap: Gap): Promise<Recovered> {
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

  /** Whether a notification tells only of messages that were recovered already: it came late. */
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
    // The newest messages of the whole mailbox: a date of this machine's clock would shut out what the service dates otherwise.
    const dateFrom = '2000-01-01T00:00:00Z';
    const query = { syncType: 'FSync', dateFrom, recordCount: firstRecords };
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

  /** Ids of messages that notifications announced, or that were recovered. */
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

/** The notification that the service would have delivered of a message. */
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

/** Ids of new messages that a notification names. Undefined for any other event. */
function messageIds({
  body,
}: Notification): { readonly extensionId: string; readonly ids: readonly string[] } | undefined {
  const changes = body?.['changes'];
  if (!Array.isArray(changes)) return undefined;
  // Whatever was accepted is read here: a change may be null, and what is no id may have no text.
  const ids = (changes as ({ readonly newMessageIds?: unknown } | null)[]).flatMap((change) => {
    const named = change?.newMessageIds;
    return Array.isArray(named) ? named.filter((id) => typeof id !== 'object').map(String) : [];
  });
  return { extensionId: textOf(body?.['extensionId']), ids };
}

function textOf(id: unknown): string {
  return typeof id === 'string' || typeof id === 'number' ? String(id) : '';
}

/** Messages as they came, oldest first. */
function inOrder(records: SyncReply['records']): readonly Message[] {
  const time = ({ creationTime }: Message): number => Date.parse(creationTime);
  return records.filter(isMessage).toSorted((a, b) => time(a) - time(b) || Number(a.id) - Number(b.id));
}

function isMessage(record: SyncReply['records'][number]): record is Message {
  return 'creationTime' in record && record.availability === 'Alive';
}

/** A filter may name a type and a direction. */
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
