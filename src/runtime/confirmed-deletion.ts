import { isRejectedWith, ReplyError } from '../errors/service.ts';

/**
 * Deletes a record. If the reply is empty and its status does not show whether it was deleted, `read` decides: the record is gone if it is not found, or if `read` returns
 * undefined. @throws the error of the deletion if the record still exists or cannot be read.
 */
export async function confirmedDeletion(
  remove: () => Promise<void>,
  read: () => Promise<unknown>,
): Promise<void> {
  try {
    await remove();
  } catch (error) {
    if (!(error instanceof ReplyError) || !error.mayBeDone || !error.isEmpty) throw error;
    const isGone = await read().then(
      (found) => found === undefined,
      (failure: unknown) => isRejectedWith(failure, 404),
    );
    if (!isGone) throw error;
  }
}
