import type { Client } from '../../client/index.ts';
import { dialects } from '../../contract/dialects.ts';
import type { Presence } from '../../contract/presence.ts';
import { isRejectedWith } from '../../errors/service.ts';
import type { Context } from '../../runtime/context.ts';

/**
 * Minimum number of people for which one read of the account replaces single reads. That read belongs to the heavy
 * usage group, whose limit is a fifth of the limit for light requests.
 */
const accountReadFrom = 20;

/**
 * Reads the presences of an account by the ID of the extension, if one request can read them (OPERATION-12) and many
 * people are read; otherwise returns no presences. People without an entry are read one by one: the list omits hidden
 * presences, and may be forbidden.
 */
export async function readKnownPresences(
  { settings, signal }: Pick<Context, 'settings' | 'signal'>,
  api: Pick<Client, 'presence'>,
  people: number,
): Promise<ReadonlyMap<string, Presence>> {
  const found = new Map<string, Presence>();
  const hasAccountRead = dialects[settings.dialect.value].queues === 'call-queues';
  if (!hasAccountRead || people < accountReadFrom) return found;
  try {
    for await (const presence of api.presence.list({}, { signal })) {
      const id = presence.extension?.id;
      if (id !== undefined) found.set(String(id), presence);
    }
  } catch (error) {
    if (!isRejectedWith(error, 403)) throw error;
  }
  return found;
}
