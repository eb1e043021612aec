import type { Context } from '../../runtime/context.ts';
import { hintFor } from '../../runtime/hint-for.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { findingRows, type FindingRow } from './finding.rows.ts';
import { warn, type Finding } from './finding.ts';
import { checkLiveTransport } from './live.ts';
import { checkConfig, checkDatabases, checkFolders, checkMediaHosts } from './local.ts';
import { checkProxy, unusableSetting } from './proxy.ts';
import { checkService } from './service.ts';
import { checkStore, checkToken } from './sign-in.ts';
import { checkSharedStore } from './store.ts';
import { checkWebhook } from './webhook.ts';

export interface DoctorOptions {
  readonly publicUrl?: string | undefined;
  readonly port?: number | undefined;
  readonly report?: string | undefined;
}

/** If one of these checks fails, the session cannot be checked. */
const required = new Set(['proxy', 'base-url', 'tls']);

/** `doctor`: checks everything that commands depend on, and lists each result with a fix. */
export async function doctor(ctx: Context, options: DoctorOptions): Promise<void> {
  if (options.report !== undefined) {
    const { reportAccount } = await import('./report.ts');
    return reportAccount(ctx, options.report);
  }
  const findings: Finding[] = [];
  // In sequence, because one check can change the result of another, such as by renewing the token.
  await ctx.out.progress('Checking', async () => {
    const config = await checkConfig(ctx);
    const folders = await checkFolders(ctx);
    const service = await checkService(ctx);
    findings.push(config, folders, checkProxy(ctx, service.failure), ...service.findings);
    const broken = findings.find(({ check, result }) => required.has(check) && result === 'fail');
    if (ctx.settings.baseUrl.value !== undefined) findings.push(await checkMediaHosts(ctx));
    findings.push(await checkStore(ctx));
    findings.push(...(broken ? [skipped('token', broken)] : await checkToken(ctx)));
    const isBlocked = broken !== undefined && unusableSetting(service.failure) !== undefined;
    findings.push(checkLiveTransport(ctx));
    findings.push(isBlocked ? skipped('webhook', broken) : await checkWebhook(ctx, options));
    findings.push(await checkDatabases(ctx), ...(await checkSharedStore(ctx)));
  });
  const shown = findings.map((finding) => ofProfile(ctx, finding));
  await ctx.out.list(shown, findingRows.list);
  const failed = shown.filter(({ result }) => result === 'fail');
  if (failed.length === 0) return;
  throw new CommandError(
    'doctor_failed',
    Exit.failed,
    `${failed.length} of ${findings.length} checks failed: ${failed.map(({ check }) => check).join(', ')}`,
    { hint: findings.find(({ result }) => result === 'fail')?.todo },
  );
}

function skipped(check: string, broken: Finding): Finding {
  return warn(check, `skipped because ${broken.check} failed`, `fix ${broken.check} first`);
}

/** Returns the finding with its fix as a command for the profile that was checked. */
function ofProfile(ctx: Context, { check, result, found, todo }: Finding): FindingRow {
  return {
    check,
    result,
    found,
    todo: todo && hintFor(ctx, todo),
  };
}
