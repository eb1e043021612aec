import { hintOf } from '../../errors/hint-of.ts';
import { messageOf } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import type { Context } from '../../runtime/context.ts';
import { fail, failureOf, ok, warn, type Finding } from './finding.ts';

/** Checks the PostgreSQL store that machines share; no finding if no store is set. */
export async function checkSharedStore(ctx: Context): Promise<readonly Finding[]> {
  if (ctx.settings.storeUrl.value === undefined) return [];
  const todo = nextStep`to show all checks: ${ucctl('store check')}`;
  try {
    const [db, { checkStore }] = await Promise.all([ctx.storeConnection(), import('../../store/index.ts')]);
    const findings = await checkStore(
      db,
      () => ctx.now(),
      (check, error) => ({
        check,
        result: 'fail',
        found: messageOf(error),
        todo: error instanceof Error ? hintOf(error) : undefined,
      }),
    );
    const bad =
      findings.find(({ result }) => result === 'fail') ?? findings.find(({ result }) => result === 'warn');
    if (!bad) return [ok('store', `${db.settings.place}: ${findings.length} checks passed`)];
    return [(bad.result === 'fail' ? fail : warn)('store', `${bad.check}: ${bad.found}`, bad.todo ?? todo)];
  } catch (error) {
    ctx.signal.throwIfAborted();
    return [failureOf('store', error, todo)];
  }
}
