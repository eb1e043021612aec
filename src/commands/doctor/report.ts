import { resolve } from 'node:path';
import { accountReport } from '../../features/account-report/index.ts';
import { replaceContent } from '../../platform/replace-content.ts';
import { counted } from '../../platform/counted.ts';
import type { Context } from '../../runtime/context.ts';

/** `doctor --report`: reads the service and describes its replies without their values. */
export async function reportAccount(ctx: Context, file: string): Promise<void> {
  const client = await ctx.api();
  const { settings, version, signal } = ctx;
  const report = await ctx.out.progress('Reading the service', (onProgress) =>
    accountReport({ client, settings, version, now: ctx.now(), signal, onProgress }),
  );
  const summary = `${counted(report.sent, 'request')} sent, ${report.failed} of them without a JSON result; ${report.notSent} skipped.`;
  if (file === '-') {
    await ctx.out.text(report.text);
    ctx.out.note(`${summary} Read the report before you send it.`);
    return;
  }
  const path = resolve(ctx.cwd, file);
  await replaceContent(path, report.text);
  ctx.out.note(`${summary} Read ${path} before you send it.`);
}
