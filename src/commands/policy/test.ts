import { readNumber } from '../../features/outgoing/index.ts';
import { readTime } from '../../features/time-window/index.ts';
import type { Context } from '../../runtime/context.ts';
import { Exit, type ExitCode } from '../../errors/command.ts';
import type { View } from '../../runtime/output.ts';

export interface PolicyTestOptions {
  readonly number: string;
  readonly kind: 'sms' | 'fax' | 'ringout';
  readonly at?: string;
}

interface Row {
  readonly number: string;
  readonly kind: string;
  readonly allowed: boolean;
  readonly reason: string | undefined;
}

const view: View<Row> = {
  columns: [
    { key: 'number', title: 'NUMBER', kind: 'phone', value: (row) => row.number },
    { key: 'kind', title: 'WHAT', value: (row) => row.kind },
    { key: 'allowed', title: 'ALLOWED', kind: 'status', value: (row) => (row.allowed ? 'yes' : 'no') },
    { key: 'reason', title: 'REASON', value: (row) => row.reason },
  ],
};

/** `policy test NUMBER` */
export async function testPolicy(ctx: Context, { number, kind, at }: PolicyTestOptions): Promise<ExitCode> {
  const understood = await readNumber(ctx, 'NUMBER', number);
  const time =
    at === undefined ? undefined : readTime(ctx, '--at', at, 'ISO 8601 such as 2026-01-06T03:00:00Z');
  const reason = await (await ctx.policy()).refusal({ kind, numbers: [understood.number], at: time });
  await ctx.out.record({ number: understood.number, kind, allowed: reason === undefined, reason }, view);
  return reason === undefined ? Exit.ok : Exit.refused;
}
