import { lookupError } from '../../errors/command.ts';
import { openDirectory } from '../../features/directory/index.ts';
import { omittedOf, openPeople, personItem } from '../../features/people/index.ts';
import { exportItems, warnOfOmitted } from '../../features/resource-plan/index.ts';
import type { Context } from '../../runtime/context.ts';
import { titleOf } from '../../runtime/with-number.ts';
import { personRows } from './export.rows.ts';

export interface AgentExportOptions {
  readonly agents: readonly string[];
}

/** `agent export`: writes the settings of people as a list for `agent plan` and `agent apply`. */
export async function exportPeople(ctx: Context, { agents }: AgentExportOptions): Promise<void> {
  const api = await ctx.api();
  const people = await openPeople(ctx, api).all();
  const wanted = await idsOf(ctx, agents);
  const exported = people.filter(({ id }) => wanted === undefined || wanted.has(String(id)));
  for (const person of exported) warnOfOmitted(ctx, titleOf(person), omittedOf(person));
  const rows = exported.map(personItem);
  await exportItems(ctx, 'agents', rows, personRows.list);
}

async function idsOf(ctx: Context, names: readonly string[]): Promise<ReadonlySet<string> | undefined> {
  if (names.length === 0) return undefined;
  const directory = openDirectory(await ctx.api(), ctx.signal);
  const ids = new Set<string>();
  for (const name of names) {
    const lookup = await directory.agent(name);
    if (!lookup.found) throw lookupError(lookup);
    ids.add(String(lookup.found.id));
  }
  return ids;
}
