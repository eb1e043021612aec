import type { Context } from '../../runtime/context.ts';
import { namedProfile } from '../../runtime/named-profile.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { hintText } from '../../errors/hint.ts';
import type { View } from '../../runtime/output.ts';
import { warn, type Finding } from './finding.ts';
import { checkConfig, checkDatabases } from './local.ts';
import { checkProxy, unusableSetting } from './proxy.ts';
import { checkService } from './service.ts';
import { checkStore, checkToken } from './sign-in.ts';
import { checkWebhook } from './webhook.ts';

export interface DoctorOptions {
  readonly publicUrl?: string | undefined;
  readonly port?: number | undefined;
}

/** A finding as it is shown. */
interface ShownFinding extends Omit<Finding, 'todo'> {
  readonly todo: string | undefined;
}

const view: View<ShownFinding> = {
  columns: [
    { key: 'check', title: 'Check', value: (row) => row.check },
    { key: 'result', title: 'Result', kind: 'status', value: (row) => row.result },
    { key: 'found', title: 'Found', value: (row) => row.found, folds: true },
    { key: 'todo', title: 'What to do', value: (row) => row.todo, folds: true },
  ],
};

/** Without these the session cannot be tried. */
const needed = new Set(['proxy', 'base-url', 'tls']);

/** Looks at everything that a command depends on, and says of each what to do. */
export async function doctor(ctx: Context, options: DoctorOptions): Promise<void> {
  const findings: Finding[] = [];
  // One after the other: a check that changes what another sees, such as a renewal, is told in its order.
  await ctx.out.progress('Looking', async () => {
    const config = await checkConfig(ctx);
    const service = await checkService(ctx);
    findings.push(config, checkProxy(ctx, service.failure), ...service.findings);
    const broken = findings.find(({ check, result }) => needed.has(check) && result === 'fail');
    findings.push(await checkStore(ctx));
    findings.push(...(broken ? [untried('token', broken)] : await checkToken(ctx)));
    const isStopped = broken !== undefined && unusableSetting(service.failure) !== undefined;
    findings.push(isStopped ? untried('webhook', broken) : await checkWebhook(ctx, options));
    findings.push(await checkDatabases(ctx));
  });
  const told = findings.map((finding) => ofProfile(ctx, finding));
  await ctx.out.list(told, view);
  const failed = told.filter(({ result }) => result === 'fail');
  if (failed.length === 0) return;
  throw new CommandError(
    'doctor_failed',
    Exit.failed,
    `${failed.length} of ${findings.length} checks failed: ${failed.map(({ check }) => check).join(', ')}`,
    { hint: findings.find(({ result }) => result === 'fail')?.todo },
  );
}

function untried(check: string, broken: Finding): Finding {
  return warn(check, `not tried, because ${broken.check} failed`, `mend ${broken.check} first`);
}

/** What to do is to be done for the profile that was looked at. */
function ofProfile(ctx: Context, { check, result, found, todo }: Finding): ShownFinding {
  return {
    check,
    result,
    found,
    todo: todo && hintText(todo, namedProfile(ctx.settings)),
  };
}
