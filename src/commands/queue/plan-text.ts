import { groupByQueue, titleOf, type Plan, type PlannedChange } from '../../features/assignment/index.ts';
import type { Output } from '../../runtime/output.ts';

/** The plan as a diff that people read: a block for each queue, a line for each agent. */
export function planText(plan: Plan, out: Pick<Output, 'style'>): string {
  return groupByQueue(plan.changes)
    .flatMap((changes) => {
      const title = out.style('strong', titleOf(changes[0].queue));
      return [title].concat(changes.map((change) => line(change, out)));
    })
    .join('\n');
}

function line(change: PlannedChange, out: Pick<Output, 'style'>): string {
  const agent = titleOf(change.agent);
  if (!change.needed) {
    return out.style('dim', `  = ${agent} ${change.action === 'add' ? 'is in already' : 'is not in'}`);
  }
  return change.action === 'add' ? out.style('good', `  + ${agent}`) : out.style('bad', `  - ${agent}`);
}

/** `3 agents to add, 1 to remove in 2 queues` */
export function summaryOf(plan: Plan): string {
  const needed = plan.changes.filter((change) => change.needed);
  const adds = needed.filter(({ action }) => action === 'add').length;
  const removes = needed.length - adds;
  const queues = new Set(needed.map(({ queue }) => queue.id)).size;
  const parts = [
    adds > 0 ? `${adds} to add` : undefined,
    removes > 0 ? `${removes} to remove` : undefined,
  ].filter((part) => part !== undefined);
  return `${parts.join(', ')} in ${queues} ${queues === 1 ? 'queue' : 'queues'}`;
}
