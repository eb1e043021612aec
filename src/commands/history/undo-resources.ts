import {
  invertResources,
  journalResources,
  resourceSends,
  resourceWork,
  show,
  type ResourceChange,
  type ResourceKind,
} from '../../features/resource-plan/index.ts';
import { executeRun, sendDryRun } from '../../features/bulk/index.ts';
import type { UndoParts, UndoPlan } from './undo-plan.ts';

/**
 * Returns the undo of a run that changed settings of resources.
 * @param protectedIds resources that must not change; by default there are none
 */
export async function undoResources(
  { ctx, journal, run }: UndoParts,
  kind: ResourceKind,
  protectedIds: readonly string[] = [],
): Promise<UndoPlan> {
  const items = journal.items<ResourceChange>(run.id);
  const { changes, changedSince } = await invertResources(kind, items);
  const isProtected = new Set(protectedIds);
  return {
    changes: changes.map(
      ({ title, before, after }) =>
        `${kind.noun} ${title}: ${Object.keys(after)
          .map((name) => `${name} ${show(before[name] ?? null)} → ${show(after[name] ?? null)}`)
          .join(', ')}`,
    ),
    changedSince,
    blocked: changes
      .filter(({ id }) => id !== null && isProtected.has(id))
      .map(({ title }) => `${kind.noun} ${title} is protected`),
    dryRun: () => sendDryRun(resourceSends(kind, changes)),
    journal: () =>
      journalResources(ctx, journal, kind, changes, { title: `undo of ${run.id}`, undoes: run.id }),
    resume: kind.resume,
    execute: (request) => executeRun<ResourceChange>({ ...request, work: resourceWork(kind) }),
    maxItems: kind.maxItems,
  };
}
