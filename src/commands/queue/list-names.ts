import type { Plan } from '../../features/assignment/index.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import type { Context } from '../../runtime/context.ts';
import type { PlanOptions } from './plan-options.command.ts';
import { isBrief } from './plan-text.ts';

/** The options that decide how a list is read. */
export type ListOptions = Pick<
  PlanOptions,
  'file' | 'map' | 'sheet' | 'skipInvalid' | 'exact' | 'addOnly' | 'removeOnly'
>;

/** Names the command that lists the agents of a plan that shows only their number. Standard input cannot be read again. */
export function noteNames({ out }: Pick<Context, 'out'>, plan: Plan, options: ListOptions): void {
  const { file, map, sheet, skipInvalid, exact, addOnly, removeOnly } = options;
  if (file === undefined || file === '-' || !isBrief(plan)) return;
  const words = [
    '-f',
    file,
    ...map.flatMap((pair) => ['--map', pair]),
    ...(sheet === undefined ? [] : ['--sheet', sheet]),
    ...(skipInvalid ? ['--skip-invalid'] : []),
    ...(exact ? ['--exact'] : []),
    ...(addOnly ? ['--add-only'] : []),
    ...(removeOnly ? ['--remove-only'] : []),
  ];
  out.note(nextStep`Names: ${ucctl`queue plan ${words} -o csv`}`);
}
