import { openDirectory } from '../../features/directory/index.ts';
import { taskKinds, type TaskKind, type TaskSelection } from '../../features/fleet/index.ts';
import type { Context } from '../../runtime/context.ts';
import { lookupError } from '../../errors/command.ts';

/** The options that select tasks. */
export interface SelectionOptions {
  readonly extension: readonly string[];
  readonly tasks: readonly TaskKind[];
}

/** Returns the selected tasks; all by default. Looks up the names of extensions on the service. */
export async function selectionOf(
  ctx: Context,
  { extension, tasks }: SelectionOptions,
): Promise<TaskSelection> {
  const kinds = tasks.length > 0 ? tasks : taskKinds;
  if (extension.length === 0) return { kinds, subjects: undefined };
  if (extension.includes('all')) return { kinds, subjects: 'all' };
  const directory = openDirectory(await ctx.api(), ctx.signal);
  const subjects: string[] = [];
  for (const name of new Set(extension)) {
    const lookup = await directory.extension(name);
    if (!lookup.found) throw lookupError(lookup);
    subjects.push(String(lookup.found.id));
  }
  return { kinds, subjects };
}
