import { hintOf } from '../../errors/hint-of.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { StoreError } from '../../platform/store-error.ts';
import type { Context } from '../../runtime/context.ts';
import { hintFor } from '../../runtime/hint-for.ts';
import type { StoreFinding } from '../../store/index.ts';
import { storeFindingRows } from './store.rows.ts';

/** `store check`: lists the result of each check of the store, and a fix for each problem. */
export async function check(ctx: Context): Promise<void> {
  const [db, { checkStore }] = await Promise.all([ctx.storeConnection(), import('../../store/index.ts')]);
  const findings = await ctx.out.progress('Checking', () => checkStore(db, () => ctx.now(), textOf));
  const rows = findings.map(({ todo, ...finding }) => ({
    ...finding,
    todo: todo && hintFor(ctx, todo),
  }));
  await ctx.out.list(rows, storeFindingRows.list);
  const failed = findings.filter(({ result }) => result === 'fail');
  if (failed.length === 0) return;
  const names = failed.map((finding) => finding.check).join(', ');
  throw new CommandError(
    'store_check_failed',
    Exit.local,
    `${failed.length} of ${findings.length} checks failed: ${names}`,
    {
      hint: failed[0]?.todo,
    },
  );
}

/** Converts the error of a check to a finding. */
function textOf(check: string, error: unknown): StoreFinding {
  if (!(error instanceof CommandError) && !(error instanceof StoreError)) throw error;
  return { check, result: 'fail', found: error.message, todo: hintOf(error) };
}
