import { notFoundError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { isMissingResource } from '../../errors/service-codes.ts';

/** Turns a 404 into an error that names the usual reason: the service removes expired subscriptions (SUBSCRIPTION-26). */
export async function orNotFound<T>(id: string, reply: Promise<T>): Promise<T> {
  try {
    return await reply;
  } catch (error) {
    if (isMissingResource(error)) {
      throw notFoundError(
        `subscription "${id}" not found; it may have expired`,
        nextStep`to list your subscriptions: ${ucctl('subscribe list')}`,
      );
    }
    throw error;
  }
}
