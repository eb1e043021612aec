import type { Client } from '../../client/index.ts';
import { lookupError } from '../../errors/command.ts';
import { openDirectory } from '../../features/directory/index.ts';
import { company, hoursKind, readHoursFile } from '../../features/hours/index.ts';
import type { ResourceFiles } from '../../features/resource-plan/index.ts';
import type { Context } from '../../runtime/context.ts';

/** Returns the business hours as files, for `hours plan` and `hours apply`. */
export function hoursFiles(ctx: Context, api: Client): ResourceFiles {
  const directory = openDirectory(api, ctx.signal);
  return {
    kind: hoursKind(ctx, api),
    noun: 'hours',
    read: (content, file) => readHoursFile(content, file, directory),
    protectedIds: async (names) => {
      const ids: string[] = [];
      for (const name of [...names, ...(ctx.settings.protect?.value ?? [])]) {
        const lookup = name === company ? { found: { id: company } } : await directory.extension(name);
        if (!lookup.found) throw lookupError({ ...lookup, message: `protected: ${lookup.message}` });
        ids.push(String(lookup.found.id));
      }
      return ids;
    },
  };
}
