import type { Hint } from '../errors/hint.ts';
import { ReplyError } from '../errors/service.ts';
import { isMissingResource } from '../errors/service-codes.ts';
import { mayBeMade, notReadBack, unconfirmed } from './confirmed-change.ts';

/** A deletion, and how to verify it. */
export interface VerifiedDeletion {
  readonly remove: () => Promise<void>;
  /** Reads the record; undefined if the service shows it as deleted. */
  readonly read: () => Promise<unknown>;
  /** The command that shows whether the record exists. */
  readonly hint: Hint;
}

/**
 * Returns whether a DELETE that failed with this error may have been processed. A reply with an unexpected body comes from
 * another server.
 */
export function mayBeDeleted(error: unknown): error is Error {
  return mayBeMade(error) && (!(error instanceof ReplyError) || error.isEmpty);
}

/**
 * Deletes a record. If no reply shows whether it was deleted, `read` decides: the record is gone if the service does not
 * find it, or if `read` returns undefined.
 * @throws {CommandError} `outcome_unknown` or the error of an unexpected reply if the record still exists or cannot be
 * read. @throws the error of any other failed deletion.
 */
export async function confirmedDeletion({ remove, read, hint }: VerifiedDeletion): Promise<void> {
  try {
    await remove();
  } catch (error) {
    if (!mayBeDeleted(error)) throw error;
    const isGone = await read().then(
      (found) => found === undefined,
      (failure: unknown) => {
        if (isMissingResource(failure)) return true;
        throw notReadBack(error, failure, hint);
      },
    );
    if (!isGone) throw error instanceof ReplyError ? error : unconfirmed(error, [], hint);
  }
}
