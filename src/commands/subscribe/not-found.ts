import { notFoundError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { isRefusedWith } from '../../errors/service.ts';

/** A missing subscription, told with what usually became of it: the service forgets expired ones (facts 1.6, SUB-507). */
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
