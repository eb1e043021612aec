import { CommandError } from '../errors/command.ts';
import type { StoreKind } from '../runtime/auth.ts';

/** The error for an item that cannot be decrypted. The item can still be replaced and deleted. */
export class UndecryptableItemError extends CommandError {}

/** The space for the next text of an item. */
export interface ReservedItem {
  /** Stores the text, at most once. @throws {CommandError} exit 12. */
  write(text: string): Promise<void>;
  /** Releases the space if it was not used. */
  release(): Promise<void>;
}

/** Stores small secret texts by name. The store does not interpret them. */
export interface TokenStore {
  readonly kind: StoreKind;
  /** Description of the store in messages. */
  readonly place: string;
  /** Reads an item; undefined if it does not exist. @throws {CommandError} exit 12 if the store cannot be read. */
  read(item: string): Promise<string | undefined>;
  /** Stores an item. Resolves when the text is durable. @throws {CommandError} exit 12. */
  write(item: string, text: string): Promise<void>;
  /**
   * Reserves the space for the next text of an item, so that a full disk cannot prevent its write. Undefined if the store
   * cannot reserve space. Several processes may reserve the space of an item, if locks do not work. The space that a
   * killed process left is released later.
   * @throws {CommandError} exit 12.
   */
  reserve?(item: string, bytes: number): Promise<ReservedItem | undefined>;
  /** Returns the items whose names begin with a prefix. Undefined if the store cannot list items. @throws {CommandError} exit 12. */
  list?(prefix: string): Promise<readonly string[]>;
  /** Deletes an item. Returns whether the item existed. @throws {CommandError} exit 12. */
  delete(item: string): Promise<boolean>;
  /**
   * Checks that the store can write, read and delete an item, before the user signs in.
   * @throws {CommandError} exit 12 with a hint.
   */
  preflight(): Promise<void>;
}
