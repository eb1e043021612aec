import { counted } from '../../platform/counted.ts';
import { safe } from '../../platform/terminal-text.ts';
import type { Output } from '../../runtime/output.ts';
import type { ResourceChange, ResourceKind, ResourcePlan } from './change.ts';
import { show } from './compare.ts';

/** With more changes than this, the plan shows one line for each resource. */
const maxShownInFull = 100;

/** Formats a plan as a diff: a block for each resource, a line for each setting. */
export function resourcePlanText(
  { changes }: Pick<ResourcePlan, 'changes'>,
  { noun, creationNote }: Pick<ResourceKind, 'noun' | 'creationNote'>,
  out: Pick<Output, 'style'>,
): string {
  const isBrief = isBriefPlan({ changes });
  const lines = changes.flatMap((change) => {
    const title = safe(change.title);
    const head =
      change.action === 'create' ? out.style('good', `+ new ${noun} ${title}`) : out.style('strong', title);
    if (isBrief) return [`${head}  ${Object.keys(change.after).join(', ')}`];
    return [head, ...Object.keys(change.after).map((name) => `  ${settingText(change, name, out)}`)];
  });
  const creates = changes.some(({ action }) => action === 'create');
  if (creates && creationNote !== undefined) lines.push(out.style('warning', creationNote));
  return lines.join('\n');
}

/** Whether the text of a plan omits the values. */
export function isBriefPlan({ changes }: Pick<ResourcePlan, 'changes'>): boolean {
  return changes.length > maxShownInFull;
}

function settingText(change: ResourceChange, name: string, out: Pick<Output, 'style'>): string {
  const after = safe(show(change.after[name] ?? null));
  if (change.action === 'create') return out.style('good', `+ ${name}: ${after}`);
  const before = safe(show(change.before[name] ?? null));
  return out.style('warning', `~ ${name}: ${before} → ${after}`);
}

/** Returns a summary such as `1 queue to create, 3 to change`. */
export function resourceSummary(changes: readonly Pick<ResourceChange, 'action'>[], noun: string): string {
  const creates = changes.filter(({ action }) => action === 'create').length;
  const updates = changes.length - creates;
  const parts = [
    creates > 0 ? `${counted(creates, noun)} to create` : '',
    updates > 0 ? `${creates > 0 ? updates : counted(updates, noun)} to change` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}
