import { readNumber } from '../../features/outgoing/index.ts';
import { readSendTime } from '../../features/time-window/index.ts';
import type { Context } from '../../runtime/context.ts';
import { Exit, type ExitCode } from '../../errors/command.ts';
import { policyTestRows } from './test.rows.ts';

export interface PolicyTestOptions {
  readonly number: string;
  readonly kind: 'sms' | 'fax' | 'ringout';
  readonly at?: string;
}

export async function testPolicy(ctx: Context, { number, kind, at }: PolicyTestOptions): Promise<ExitCode> {
  const parsed = await readNumber(ctx, 'NUMBER', number, { force: true });
  const time = at === undefined ? undefined : readSendTime(ctx, at);
  const reason = await (await ctx.policy()).violation({ kind, numbers: [parsed.number], at: time });
  const row = { number: parsed.number, kind, allowed: reason === undefined, reason };
  await ctx.out.record(row, policyTestRows.record);
  return reason === undefined ? Exit.ok : Exit.blocked;
}
