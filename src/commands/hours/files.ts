import type { Client } from '../../client/index.ts';
import { openDirectory, presentTitle, protectedOwners } from '../../features/directory/index.ts';
import { hoursKind, readHoursFile } from '../../features/hours/index.ts';
import type { ResourceFiles } from '../../features/resource-plan/index.ts';
import type { Context } from '../../runtime/context.ts';
import { company } from '../../runtime/lookup.ts';

/** Returns the business hours as files, for `hours plan` and `hours apply`. */
export function hoursFiles(ctx: Context, api: Client): ResourceFiles {
  const directory = openDirectory(api, ctx.signal);
  return {
    kind: hoursKind(ctx, api),
    noun: 'hours',
    read: (content, file) => readHoursFile(content, file, directory),
    titleOf: async (change) =>
      change.id === company && change.key === company ? 'Company' : presentTitle(directory, change),
    // The company and each extension have business hours.
    total: async () => (await directory.all()).length + 1,
    protectedIds: (names) =>
      protectedOwners(directory, { option: names, setting: ctx.settings.protect.value }),
  };
}
