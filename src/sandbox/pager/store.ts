import type { Database } from '../../platform/sqlite.ts';
import { prepare, prepareInsert } from '../world/sql.ts';

/**
 * The members of pager threads: extensions named explicitly, including departments, whose current agents are also
 * members (PAGER-7).
 */
export class PagerThreadStore {
  readonly #clear;
  readonly #add;
  readonly #list;
  readonly #includes;

  constructor(db: Database) {
    this.#clear = prepare(db, 'DELETE FROM pagerParticipant WHERE threadId = :threadId');
    this.#add = prepareInsert(db, 'pagerParticipant', ['threadId', 'extensionId'], 'IGNORE');
    this.#list = prepare<{ extensionId: number }>(
      db,
      'SELECT extensionId FROM pagerParticipant WHERE threadId = :threadId ORDER BY extensionId',
    );
    this.#includes = prepare<{ n: number }>(
      db,
      `SELECT 1 AS n FROM pagerParticipant WHERE threadId = :threadId AND (extensionId = :extensionId
       OR extensionId IN (SELECT departmentId FROM departmentMember WHERE extensionId = :extensionId)) LIMIT 1`,
    );
  }

  save(threadId: string, extensionIds: readonly number[]): void {
    this.#clear.run({ threadId });
    for (const id of extensionIds) this.#add.run({ threadId, extensionId: id });
  }

  participants(threadId: string): readonly number[] {
    return this.#list.all({ threadId }).map(({ extensionId }) => extensionId);
  }

  includes(threadId: string, extensionId: number): boolean {
    return this.#includes.get({ threadId, extensionId }) !== undefined;
  }
}

/** Condition on `message`: the thread of a pager message includes the owner of the mailbox. */
export const readableThread = `(type <> 'Pager' OR conversationId IS NULL OR EXISTS (
  SELECT 1 FROM pagerParticipant AS one WHERE one.threadId = message.conversationId AND (one.extensionId = message.extensionId
    OR one.extensionId IN (SELECT departmentId FROM departmentMember AS agent WHERE agent.extensionId = message.extensionId))))`;
