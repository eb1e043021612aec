import type { Presence } from '../../contract/presence.ts';
import type { Client } from '../../client/index.ts';
import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { presenceRecordView, presenceRows, type PresenceRow } from './presence.rows.ts';
import { findPeople, shownName, type Person } from './who.ts';

export interface PresenceShowOptions {
  readonly extensions: readonly string[];
  readonly queue?: string;
  readonly detailed?: boolean;
}

/** `presence show [EXT...]`: shows a record for one extension, or a list for several extensions or a queue. */
export async function showPresence(ctx: Context, options: PresenceShowOptions): Promise<void> {
  const { extensions, queue, detailed = false } = options;
  if (queue !== undefined && extensions.length > 0)
    throw usageError('extensions and --queue cannot be used together', 'remove one of them');
  const api = await ctx.api();
  const people = await findPeople(ctx, api, options);
  const [only, second] = people;
  if (only && !second && queue === undefined) {
    const presence = await read(ctx, api, only, detailed);
    return ctx.out.record(presence, presenceRecordView(shownName(ctx, only, presence)));
  }
  await ctx.out.list(rows(ctx, api, people, detailed), presenceRows.list);
}

async function* rows(
  ctx: Context,
  api: Client,
  people: readonly Person[],
  detailed: boolean,
): AsyncGenerator<PresenceRow, void, undefined> {
  for (const person of people) {
    yield { ...(await read(ctx, api, person, detailed)), name: person.extension?.name };
  }
}

function read(ctx: Context, api: Client, { id }: Person, detailed: boolean): Promise<Presence> {
  return api.presence.get(id, detailed ? { detailedTelephonyState: true } : {}, { signal: ctx.signal });
}
