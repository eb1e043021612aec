import {
  groupByQueue,
  neededChanges,
  type Plan,
  type PlannedChange,
} from '../../features/assignment/index.ts';
import { resourceSummary } from '../../features/resource-plan/index.ts';
import { counted } from '../../platform/counted.ts';
import { safe } from '../../platform/terminal-text.ts';
import type { Output } from '../../runtime/output.ts';
import type { SettingsPlan } from './settings.ts';
import { titleOf } from '../../runtime/with-number.ts';

/** The note for a list without changes. */
export const noChangesText = 'No changes: everything is already up to date.';

/** Maximum number of agents that the plan shows by name. */
const maxNamed = 100;

/** Whether the plan shows only the number of changes of each queue, because it has too many changes. */
export function isBrief(plan: Plan): boolean {
  return neededChanges(plan).length > maxNamed;
}

/**
 * Returns the plan as a diff: a block for each queue, a line for each agent. The diff of a long list omits the agents
 * who do not change.
 */
export function planText(plan: Plan, out: Pick<Output, 'style'>): string {
  const brief = isBrief(plan);
  return groupByQueue(plan.changes.length > maxNamed ? neededChanges(plan) : plan.changes)
    .flatMap((changes) => {
      const title = out.style('strong', safe(titleOf(changes[0].queue)));
      if (brief) return [`${title}  ${countsOf(changes)}`];
      return [title].concat(changes.map((change) => line(change, out)));
    })
    .join('\n');
}

function line(change: PlannedChange, out: Pick<Output, 'style'>): string {
  // A line break in a name must not look like a line of the plan.
  const agent = safe(titleOf(change.agent));
  if (!change.needed) {
    return out.style(
      'dim',
      `  = ${agent} ${change.action === 'add' ? 'is already a member' : 'is not a member'}`,
    );
  }
  return change.action === 'add' ? out.style('good', `  + ${agent}`) : out.style('bad', `  - ${agent}`);
}

function countsOf(changes: readonly PlannedChange[]): string {
  const adds = changes.filter(({ action }) => action === 'add').length;
  const removes = changes.length - adds;
  return [adds > 0 ? `+${adds}` : '', removes > 0 ? `-${removes}` : '']
    .filter((part) => part !== '')
    .join(' ');
}

/** Returns a summary such as `3 to add, 1 to remove in 2 queues`. */
function summaryOf(plan: Plan): string {
  const needed = neededChanges(plan);
  const adds = needed.filter(({ action }) => action === 'add').length;
  const removes = needed.length - adds;
  const queues = new Set(needed.map(({ queue }) => queue.id)).size;
  const parts = [
    adds > 0 ? `${adds} to add` : undefined,
    removes > 0 ? `${removes} to remove` : undefined,
  ].filter((part) => part !== undefined);
  return `${parts.join(', ')} in ${counted(queues, 'queue')}`;
}

/** Returns a summary of settings and members, such as `1 queue to change; 3 to add in 2 queues`. */
export function summaryOfBoth(plan: Plan, settings: Pick<SettingsPlan, 'plan'>): string {
  const { changes } = settings.plan;
  const parts = [
    ...(changes.length > 0 ? [resourceSummary(changes, 'queue')] : []),
    ...(neededChanges(plan).length > 0 ? [summaryOf(plan)] : []),
  ];
  return parts.join('; ');
}
