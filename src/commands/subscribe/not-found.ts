import { notFoundError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { isRefusedWith } from '../../errors/service.ts';

/** The error for a missing subscription, with the usual reason: the service removes expired ones (SUBSCRIPTION-26). */
export async function orNotFound<T>(id: string, reply: Promise<T>): Promise<T> {
  try {
    return await reply;
  } catch (error) {
    if (isRefusedWith(error, 404)) {
      throw notFoundError(
        `there is no subscription "${id}", or it has expired`,
        nextStep`list them: ${ucctl('subscribe list')}`,
      );
    }
    throw error;
  }
}
