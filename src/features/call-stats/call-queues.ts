import type { CallLogRecord } from '../../contract/call-log.ts';
import { ringsOf } from './agent-tally.ts';
import { ownerOf } from './one-call.ts';

/** The names of extensions that the account has. */
interface KnownNames {
  /** Returns the name of a queue; undefined if the extension is not a queue. */
  queueName(extensionId: string): string | undefined;
  nameOf(extensionId: string): string | undefined;
}

/**
 * The queues of an account, and the deleted queues whose calls are in the log. The account does not list deleted
 * extensions, but the record of a queue has legs of the agents whose phones rang, and the record of a person does not.
 */
export class CallQueues {
  readonly #names: KnownNames;
  /** Names of deleted queues by extension ID. */
  readonly #deleted = new Map<string, string>();

  constructor(names: KnownNames) {
    this.#names = names;
  }

  /** Returns the ID of the queue that a record belongs to; undefined for the record of a person. */
  queueOf(record: Partial<CallLogRecord>): string | undefined {
    const owner = ownerOf(record);
    if (this.#names.queueName(owner) !== undefined || this.isDeleted(owner)) return owner;
    if (this.deletedOwnerOf(record) === undefined) return undefined;
    if (ringsOf(record).every(({ id }) => id === owner)) return undefined;
    this.#deleted.set(owner, record.to?.name ?? owner);
    return owner;
  }

  /** Returns the owner of an inbound record, if the account does not have this extension. */
  deletedOwnerOf(record: Partial<CallLogRecord>): string | undefined {
    const id = record.extension?.id ?? record.to?.extensionId;
    if (record.direction !== 'Inbound' || id === undefined) return undefined;
    return this.#names.nameOf(String(id)) === undefined ? String(id) : undefined;
  }

  /** Whether an extension is a deleted queue, as far as the records that were read show. */
  isDeleted(id: string): boolean {
    return this.#deleted.has(id);
  }

  nameOf(id: string): string {
    return this.#names.queueName(id) ?? this.#deleted.get(id) ?? id;
  }
}
