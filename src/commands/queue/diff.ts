import { neededChanges, type PlannedChange } from '../../features/assignment/index.ts';
import { readListFile } from '../../features/bulk/index.ts';
import type { ResourceChange } from '../../features/resource-plan/index.ts';
import type { Context } from '../../runtime/context.ts';
import { Exit, type ExitCode } from '../../errors/command.ts';
import { diffRows, type DiffRow } from './diff.rows.ts';
import { planFile } from './plan-file.ts';

export interface QueueDiffOptions {
  readonly file: string;
  readonly map: readonly string[];
  readonly sheet?: string;
  readonly detailedExitcode?: boolean;
}

/** `queue diff --file FILE`: the differences between a desired state and the service. */
export async function diffQueues(ctx: Context, options: QueueDiffOptions): Promise<ExitCode> {
  const { file, map, sheet } = options;
  const content = await readListFile(ctx, file, sheet);
  // A comparison has no safety limits and shows every difference.
  const limits = { maxRemovals: '100%', maxChanges: '100%', allowEmpty: true, protect: [] };
  const planOptions = { file, map, canSkip: false, isComparison: true, ...limits };
  const { planned, settings } = await planFile(ctx, content, file, planOptions);
  const rows = [...settings.plan.changes.flatMap(settingRows), ...neededChanges(planned.plan).map(memberRow)];
  await ctx.out.list<DiffRow>(rows, diffRows.list);
  return rows.length > 0 && options.detailedExitcode ? Exit.changesPresent : Exit.ok;
}

function settingRows({ action, title, key, number, before, after }: ResourceChange): readonly DiffRow[] {
  const queue = number ?? key;
  const missing: readonly DiffRow[] =
    action === 'create'
      ? [{ queue, queueName: title, kind: 'queue', name: title, inFile: true, inService: false }]
      : [];
  const settings = Object.keys(after).map((name): DiffRow => {
    const [inFile, inService] = [after[name] ?? null, before[name] ?? null];
    return { queue, queueName: title, kind: 'setting', name, inFile, inService };
  });
  return [...missing, ...settings];
}

function memberRow({ queue, agent, action }: PlannedChange): DiffRow {
  const isInFile = action === 'add';
  const number = agent.extensionNumber === undefined ? '' : ` (${agent.extensionNumber})`;
  return {
    queue: queue.extensionNumber ?? String(queue.id),
    queueName: queue.name,
    kind: 'agent',
    name: `${agent.name}${number}`,
    inFile: isInFile,
    inService: !isInFile,
  };
}
