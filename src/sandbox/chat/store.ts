import type { Database } from '../../platform/sqlite.ts';
import { prepare, prepareInsert } from '../world/sql.ts';

export interface ChatGroupRow {
  readonly id: string;
  readonly accountId: number;
  readonly type: 'Group' | 'Team';
  readonly name: string;
}
export interface ChatWebhookRow {
  readonly id: string;
  /** Last segment of the webhook address. It is secret, because anyone who knows it can post. */
  readonly key: string;
  readonly creatorId: number;
  readonly groupId: string;
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly status: 'Active' | 'Suspended' | 'Deleted';
}
export interface ChatPostRow {
  readonly id: number;
  readonly groupId: string;
  readonly webhookId: string;
  readonly createdAt: number;
  /** The posted JSON, including members that the contract does not define. */
  readonly content: string;
}

/** Chat groups and teams, their webhooks and posts. */
export class ChatStore {
  readonly #group;
  readonly #addGroup;
  readonly #groups;
  readonly #join;
  readonly #isMember;
  readonly #save;
  readonly #byId;
  readonly #byKey;
  readonly #byCreator;
  readonly #byGroup;
  readonly #addPost;
  readonly #posts;

  constructor(db: Database) {
    this.#group = prepare<ChatGroupRow>(db, 'SELECT * FROM chatGroup WHERE id = :id');
    this.#addGroup = prepareInsert<ChatGroupRow>(db, 'chatGroup', ['id', 'accountId', 'type', 'name']);
    this.#groups = prepare<ChatGroupRow>(
      db,
      'SELECT * FROM chatGroup WHERE accountId = :accountId ORDER BY id',
    );
    this.#join = prepareInsert(db, 'chatMember', ['groupId', 'extensionId'], 'IGNORE');
    this.#isMember = prepare<{ n: number }>(
      db,
      'SELECT 1 AS n FROM chatMember WHERE groupId = :groupId AND extensionId = :extensionId',
    );
    this.#save = prepareInsert<ChatWebhookRow>(
      db,
      'chatWebhook',
      ['id', 'key', 'creatorId', 'groupId', 'createdAt', 'modifiedAt', 'status'],
      'REPLACE',
    );
    this.#byId = prepare<ChatWebhookRow>(db, 'SELECT * FROM chatWebhook WHERE id = :id');
    this.#byKey = prepare<ChatWebhookRow>(db, 'SELECT * FROM chatWebhook WHERE key = :key');
    this.#byCreator = prepare<ChatWebhookRow>(
      db,
      "SELECT * FROM chatWebhook WHERE creatorId = :creatorId AND status <> 'Deleted' ORDER BY createdAt, rowid",
    );
    this.#byGroup = prepare<ChatWebhookRow>(
      db,
      "SELECT * FROM chatWebhook WHERE groupId = :groupId AND status <> 'Deleted' ORDER BY createdAt, rowid",
    );
    this.#addPost = prepareInsert<Omit<ChatPostRow, 'id'>>(db, 'chatPost', [
      'groupId',
      'webhookId',
      'createdAt',
      'content',
    ]);
    this.#posts = prepare<ChatPostRow>(
      db,
      'SELECT * FROM chatPost WHERE :groupId IS NULL OR groupId = :groupId ORDER BY id',
    );
  }

  group(id: string): ChatGroupRow | undefined {
    return this.#group.get({ id });
  }

  addGroup(row: ChatGroupRow): void {
    this.#addGroup.run(row);
  }

  /** Returns the groups and teams of an account. */
  groups(accountId: number): readonly ChatGroupRow[] {
    return this.#groups.all({ accountId });
  }

  join(groupId: string, extensionId: number): void {
    this.#join.run({ groupId, extensionId });
  }

  isMember(groupId: string, extensionId: number): boolean {
    return this.#isMember.get({ groupId, extensionId }) !== undefined;
  }

  save(row: ChatWebhookRow): void {
    this.#save.run(row);
  }

  byId(id: string): ChatWebhookRow | undefined {
    return this.#byId.get({ id });
  }

  byKey(key: string): ChatWebhookRow | undefined {
    return this.#byKey.get({ key });
  }

  /** Returns the webhooks that are not deleted, oldest first. */
  ofCreator(extensionId: number): readonly ChatWebhookRow[] {
    return this.#byCreator.all({ creatorId: extensionId });
  }

  /** Returns the webhooks that are not deleted, oldest first. */
  ofGroup(groupId: string): readonly ChatWebhookRow[] {
    return this.#byGroup.all({ groupId });
  }

  addPost(row: Omit<ChatPostRow, 'id'>): void {
    this.#addPost.run(row);
  }

  /** Posts of one group, or of all, oldest first. */
  posts(groupId?: string): readonly ChatPostRow[] {
    return this.#posts.all({ groupId: groupId ?? null });
  }
}
