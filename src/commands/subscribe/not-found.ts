import { notFoundError } from '../../runtime/errors.ts';

/** A missing subscription, told with what usually became of it: the service forgets expired ones (facts 1.6, SUB-507). */
export async function orNotFound<T>(id: string, reply: Promise<T>): Promise<T> {
  try {
    return await reply;
  } catch (error) {
    if (isNotFound(error)) {
      throw notFoundError(
        `there is no subscription "${id}", or it has expired`,
        'list them: ucctl subscribe list',
      );
    }
    throw error;
  }
}

/** By name and status: commands know the client's types only. */
function isNotFound(error: unknown): boolean {
  return error instanceof Error && error.name === 'ApiError' && 'status' in error && error.status === 404;
}
