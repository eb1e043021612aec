import type { Client } from '../../client/index.ts';
import { readMap } from '../../features/bulk/index.ts';
import { openDirectory, presentTitle, protectedAgents } from '../../features/directory/index.ts';
import { openPeople, readPeopleFile } from '../../features/people/index.ts';
import type { ResourceFiles } from '../../features/resource-plan/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { ResourceFileOptions } from '../../runtime/resource-options.ts';

/** Options for reading a list of people. */
export interface PeopleFileOptions extends ResourceFileOptions {
  readonly removeEmpty?: boolean;
}

/** Returns the people of the account as files, for `agent plan` and `agent apply`. */
export function peopleFiles(
  ctx: Context,
  api: Client,
  { map, removeEmpty }: PeopleFileOptions,
): ResourceFiles {
  const people = openPeople(ctx, api);
  const directory = openDirectory(api, ctx.signal);
  return {
    kind: people.kind,
    noun: 'agent',
    tableOptions: [...(map.length > 0 ? ['--map'] : []), ...(removeEmpty ? ['--remove-empty'] : [])],
    read: async (content, file) =>
      readPeopleFile(content, file, {
        directory,
        sites: await people.sites(),
        extensions: () => directory.all(),
        map: readMap(map),
        removeEmpty,
      }),
    titleOf: (change) => presentTitle(directory, change),
    total: async () => (await people.all()).length,
    protectedIds: (names) =>
      protectedAgents(directory, { option: names, setting: ctx.settings.protect.value }),
  };
}
