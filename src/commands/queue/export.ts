import type { Extension } from '../../contract/extension.ts';
import { readMembershipWithProgress, type Membership } from '../../features/assignment/index.ts';
import { namedQueues, openDirectory } from '../../features/directory/index.ts';
import { queueFileForm, readQueueSettings } from '../../features/queue-settings/index.ts';
import {
  fileValues,
  nestValues,
  omittedValues,
  warnOfOmitted,
  type Values,
} from '../../features/resource-plan/index.ts';
import { dialects } from '../../contract/dialects.ts';
import { usageError } from '../../errors/command.ts';
import { compareNumbers } from '../../platform/number-order.ts';
import type { Context } from '../../runtime/context.ts';
import { titleOf } from '../../runtime/with-number.ts';
import { writesDocument, type Column, type View } from '../../runtime/output.ts';
import { matrixRows, memberLines, type MatrixRow } from './export.rows.ts';

export interface QueueExportOptions {
  readonly queues: readonly string[];
  readonly matrix?: boolean;
  readonly settings?: boolean;
}

export async function exportQueues(ctx: Context, options: QueueExportOptions): Promise<void> {
  requireSettingsPossible(ctx, options);
  const api = await ctx.api();
  const directory = openDirectory(api, ctx.signal);
  const queues = await namedQueues(directory, options.queues);
  const members = await readMembershipWithProgress(
    ctx,
    api,
    queues.map(({ id }) => id),
  );
  const people = new Map((await directory.all()).map((one) => [String(one.id), one]));
  // A member without an entry in the directory is also exported; otherwise the list would remove this member.
  const agentsOf = (queue: Extension): readonly Pick<Extension, 'id' | 'name' | 'extensionNumber'>[] =>
    [...(members.get(String(queue.id)) ?? [])].map((id) => people.get(id) ?? { id, name: `extension ${id}` });
  if (options.matrix) return ctx.out.list(...matrix(queues, members, people));
  if (writesDocument(ctx.out.format)) {
    const settings = options.settings
      ? await readQueueSettings(
          ctx,
          api,
          queues.map(({ id }) => String(id)),
        )
      : undefined;
    const state = queues.map((queue) => ({
      queue: shortOf(queue),
      name: queue.name,
      ...(settings && {
        settings: settingsOfFile(ctx, queue, settings.get(String(queue.id))?.values ?? {}),
      }),
      agents: agentsOf(queue).map((agent) => ({ agent: shortOf(agent), name: agent.name })),
    }));
    return ctx.out.record({ queues: state }, { columns: [] });
  }
  noteEmptyQueues(
    ctx,
    queues.filter((queue) => agentsOf(queue).length === 0),
  );
  const lines = queues.flatMap((queue) =>
    agentsOf(queue).map((agent) => ({
      queue: shortOf(queue),
      queueName: queue.name,
      extension: shortOf(agent),
      agentName: agent.name,
    })),
  );
  await ctx.out.list(lines, memberLines.list);
}

/** Returns the settings of a queue in the form of a file, and warns about the settings that no file can contain. */
function settingsOfFile(ctx: Context, queue: Extension, present: Values): Values {
  const ofFile = fileValues(queueFileForm.settings, present);
  warnOfOmitted(ctx, titleOf(queue), omittedValues(present, ofFile));
  return nestValues(ofFile);
}

/**
 * @throws {CommandError} `usage` for --settings with a table format or in dialect `spec`, which has no queue settings.
 */
function requireSettingsPossible(ctx: Context, { settings }: QueueExportOptions): void {
  if (!settings) return;
  if (dialects[ctx.settings.dialect.value].queues !== 'call-queues') {
    throw usageError(
      '--settings requires dialect current: dialect spec has no queue settings',
      'omit --settings, or use --dialect current if the service supports it',
    );
  }
  if (!writesDocument(ctx.out.format))
    throw usageError(`--settings cannot be used with -o ${ctx.out.format}`, 'use -o yaml or -o json');
}

/** Maximum number of queues that the note names. */
const maxNames = 20;

/** Names the queues without agents, which have no row. A plan of the list does not compare these queues. */
function noteEmptyQueues(ctx: Context, queues: readonly Extension[]): void {
  if (queues.length === 0) return;
  const names = queues.map(titleOf).slice(0, maxNames).join(', ');
  const more = queues.length > maxNames ? ` and ${queues.length - maxNames} more` : '';
  ctx.out.note(
    `The list does not contain the queues without agents: ${names}${more}. To include them, use -o yaml or --matrix.`,
  );
}

/** Returns the extension number, or the ID of an extension without a number. */
function shortOf({ extensionNumber, id }: Pick<Extension, 'extensionNumber' | 'id'>): string {
  return extensionNumber ?? String(id);
}

/** Returns the column heading of a queue, without line breaks. */
function headingOf(queue: Extension): string {
  return `${shortOf(queue)} ${queue.name.replaceAll(/\s+/g, ' ').trim() || '(no name)'}`;
}

function matrix(
  queues: readonly Extension[],
  members: Membership,
  people: ReadonlyMap<string, Extension>,
): [readonly MatrixRow[], View<MatrixRow>] {
  const inQueues = new Map<string, string[]>();
  for (const queue of queues) {
    for (const id of members.get(String(queue.id)) ?? []) {
      inQueues.set(id, [...(inQueues.get(id) ?? []), shortOf(queue)]);
    }
  }
  const rows = [...inQueues].map(([id, own]): MatrixRow => {
    const agent = people.get(id);
    return { extension: agent ? shortOf(agent) : id, agentName: agent?.name ?? '', queues: own };
  });
  const columns: readonly Column<MatrixRow>[] = [
    ...matrixRows.list.columns,
    ...queues.map((queue): Column<MatrixRow> => ({
      key: headingOf(queue),
      title: headingOf(queue),
      value: (row) => (row.queues.includes(shortOf(queue)) ? 'x' : ''),
    })),
  ];
  return [rows.toSorted((a, b) => compareNumbers(a.extension, b.extension)), { columns }];
}
