import type { Client } from '../../client/index.ts';
import { openDirectory, protectedOwners } from '../../features/directory/index.ts';
import { hoursKind, readHoursFile } from '../../features/hours/index.ts';
import type { ResourceFiles } from '../../features/resource-plan/index.ts';
import type { Context } from '../../runtime/context.ts';

/** Returns the business hours as files, for `hours plan` and `hours apply`. */
export function hoursFiles(ctx: Context, api: Client): ResourceFiles {
  const directory = openDirectory(api, ctx.signal);
  return {
    kind: hoursKind(ctx, api),
    noun: 'hours',
    read: (content, file) => readHoursFile(content, file, directory),
    protectedIds: (names) =>
      protectedOwners(directory, { option: names, setting: ctx.settings.protect?.value }),
  };
}
