import type { Client } from '../../client/index.ts';
import type { PresenceFields } from './state.ts';

export interface EveryoneParts<U> {
  readonly api: Pick<Client, 'presence'>;
  readonly signal: AbortSignal;
  /** Whether one request can read the presences of the account (OPERATION-12). */
  readonly readsAccount: boolean;
  /** Updates the board with a presence from the list. */
  update(id: string, fields: PresenceFields): U;
  /** Reads one person; undefined when the board ends. */
  readOne(id: string): Promise<U | undefined>;
}

/**
 * Minimum number of people for which a board reads the list of the account. The list request belongs to the heavy usage
 * group, whose limit is a fifth of the limit for light requests, which read single people.
 */
const accountReadFrom = 20;

/** Whether a board of this number of people reads the list of the account. */
export function usesAccountRead(
  parts: Pick<EveryoneParts<unknown>, 'readsAccount'>,
  people: number,
): boolean {
  return parts.readsAccount && people >= accountReadFrom;
}

/**
 * Reads everyone: many people through the list of the account, otherwise one by one. The list omits hidden presences,
 * and may be forbidden. Missing people are read one by one, so that the board shows the reason.
 */
export async function* readEveryone<U>(
  parts: EveryoneParts<U>,
  ids: readonly string[],
  pause: () => Promise<void>,
): AsyncGenerator<U, void, undefined> {
  const known = usesAccountRead(parts, ids.length)
    ? await readAccount(parts)
    : new Map<string, PresenceFields>();
  for (const id of ids) {
    const fields = known.get(id);
    if (fields) {
      yield parts.update(id, fields);
      continue;
    }
    await pause();
    const update = await parts.readOne(id);
    if (update !== undefined) yield update;
  }
}

async function readAccount({
  api,
  signal,
}: Pick<EveryoneParts<unknown>, 'api' | 'signal'>): Promise<ReadonlyMap<string, PresenceFields>> {
  const found = new Map<string, PresenceFields>();
  try {
    for await (const presence of api.presence.list({ detailedTelephonyState: true }, { signal })) {
      const { extension } = presence;
      // A presence without a message has no member `message`. The explicit undefined clears the previous
      // message.
      if (extension?.id !== undefined) {
        found.set(String(extension.id), { ...presence, message: presence.message });
      }
    }
  } catch {
    // The people are read one by one, which reports the error for each person.
  }
  return found;
}
