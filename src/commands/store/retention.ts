import {
  expiredData,
  openCompliance,
  retentionRules,
  ruledTypes,
  setRules,
  type RuledType,
} from '../../features/mirror/postgres/index.ts';
import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { daysIn } from './age.ts';
import { ruleRows } from './retention.rows.ts';

export interface RetentionOptions {
  readonly keep: readonly string[];
  readonly forever: readonly RuledType[];
}

/** `store retention`: sets rules, and shows all rules with their expired data. */
export async function retention(ctx: Context, { keep, forever }: RetentionOptions): Promise<void> {
  const changes = new Map<RuledType, number | undefined>(forever.map((type) => [type, undefined]));
  for (const text of keep) {
    const [type, days] = ruleOf(text);
    if (changes.has(type))
      throw usageError(
        `the type "${type}" has more than one rule`,
        'specify each type once, with --keep or --forever',
      );
    changes.set(type, days);
  }
  const { db } = await openCompliance(ctx, changes.size > 0 ? 'change' : 'read');
  if (changes.size > 0) await setRules(db, changes, new Date(ctx.now()).toISOString());
  const rules = await retentionRules(db);
  const due = await expiredData(db);
  const rows = rules.flatMap(({ type, setAt, setBy }) =>
    due
      .filter((data) => data.type === type)
      .map(({ keepDays, before, items, onHold }) => ({
        type,
        keepDays,
        before,
        items,
        onHold,
        setAt: setAt.toISOString(),
        setBy,
      })),
  );
  await ctx.out.list(rows, ruleRows.list);
}

function ruleOf(text: string): readonly [RuledType, number] {
  const [name = '', age = ''] = text.split('=');
  const type = ruledTypes.find((known) => known.toLowerCase() === name.toLowerCase());
  if (!type)
    throw usageError(`--keep: "${name}" is not a valid type`, `use one of: ${ruledTypes.join(', ')}`);
  return [type, daysIn(age, '--keep')];
}
