import {
  invertResources,
  journalResources,
  requireDialectOfRun,
  resourceSends,
  resourceWork,
  show,
  type ResourceChange,
  type ResourceKind,
} from '../../features/resource-plan/index.ts';
import { executeRun, type JournalItem } from '../../features/bulk/index.ts';
import { undoDetail, type UndoParts, type UndoPlan } from './undo-plan.ts';

/**
 * Returns the undo of a run that changed settings of resources.
 * @param protectedIds resources that must not change; by default there are none
 */
export async function undoResources(
  parts: UndoParts,
  kind: ResourceKind,
  protectedIds: readonly string[] = [],
): Promise<UndoPlan> {
  const { ctx, journal, run, selected } = parts;
  requireDialectOfRun(ctx, kind, run.id);
  const items = selected.items.filter(selected.isSelected) as readonly JournalItem<ResourceChange>[];
  const { changes, changedSince, unrestored } = await invertResources(kind, items, ctx.signal);
  const isProtected = new Set(protectedIds);
  return {
    changes: changes.map(
      ({ title, before, after }) =>
        `${kind.noun} ${title}: ${Object.keys(after)
          .map((name) => `${name} ${show(before[name] ?? null)} → ${show(after[name] ?? null)}`)
          .join(', ')}`,
    ),
    changedSince,
    unrestored,
    blocked: changes
      .filter(({ id }) => id !== null && isProtected.has(id))
      .map(({ title }) => `${kind.noun} ${title} is protected`),
    sends: () => resourceSends(kind, changes),
    journal: (partOf) => journalResources(ctx, journal, kind, changes, { ...undoDetail(parts), partOf }),
    resume: kind.resume,
    execute: (request) => executeRun<ResourceChange>({ ...request, work: resourceWork(kind) }),
    maxItems: kind.maxItems,
  };
}
