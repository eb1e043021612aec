import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { control, type WhichSandbox } from './control.ts';
import { deliveryRows, replayRows } from './delivery.rows.ts';
import type { RowOf } from '../../runtime/rows.ts';

export interface SandboxDeliveryOptions extends WhichSandbox {
  readonly action: 'list' | 'replay';
  readonly id?: string;
  readonly state?: 'pending' | 'delivered' | 'recovered' | 'failed' | 'lost';
  readonly limit: number;
}
interface Deliveries {
  readonly records: readonly RowOf<typeof deliveryRows>[];
}

/** Lists notifications, or resends a notification. */
export async function sandboxDeliveryCommand(ctx: Context, options: SandboxDeliveryOptions): Promise<void> {
  if (options.action === 'replay') return replay(ctx, options);
  const query = new URLSearchParams({
    limit: String(options.limit),
    ...(options.state !== undefined && { state: options.state }),
  });
  const { records } = await control<Deliveries>(ctx, options, 'GET', `/deliveries?${query.toString()}`);
  await ctx.out.list(records, deliveryRows.list);
}

async function replay(ctx: Context, options: SandboxDeliveryOptions): Promise<void> {
  if (options.id === undefined)
    throw usageError(
      'sandbox delivery replay requires a delivery ID',
      nextStep`to list the deliveries: ${ucctl('sandbox delivery list')}`,
    );
  const path = `/deliveries/${encodeURIComponent(options.id)}/replay`;
  const reply = await control<RowOf<typeof replayRows>>(ctx, options, 'POST', path, {});
  await ctx.out.record(reply, replayRows.record);
}
