import type { StoreKind } from '../runtime/auth.ts';

/** Keeps small secret texts by name. What it holds is compact JSON; the store does not look inside. */
export interface TokenStore {
  readonly kind: StoreKind;
  /** Where it is, in words for the user. */
  readonly place: string;
  /** Undefined when there is no such item. @throws {CommandError} exit 12 when the store cannot be read. */
  read(item: string): Promise<string | undefined>;
  /** Durable when it resolves. @throws {CommandError} exit 12. */
  write(item: string, text: string): Promise<void>;
  /** Whether there was one. @throws {CommandError} exit 12. */
  delete(item: string): Promise<boolean>;
  /**
   * Proves that the store takes, gives back and deletes an item, before anyone is asked to sign in.
   * @throws {CommandError} exit 12 with the way out.
   */
  preflight(): Promise<void>;
}
