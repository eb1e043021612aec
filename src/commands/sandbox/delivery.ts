import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { control, type WhichSandbox } from './control.ts';
import { viewOf, viewOfRecord } from './views.ts';

export interface SandboxDeliveryOptions extends WhichSandbox {
  readonly action: 'list' | 'replay';
  readonly id?: string;
  readonly state?: 'pending' | 'delivered' | 'failed';
  readonly limit: number;
}
interface Deliveries {
  readonly records: readonly Readonly<Record<string, unknown>>[];
}

/** Lists what was sent to webhooks, or sends one again. */
export async function sandboxDeliveryCommand(ctx: Context, options: SandboxDeliveryOptions): Promise<void> {
  if (options.action === 'replay') return replay(ctx, options);
  const query = new URLSearchParams({
    limit: String(options.limit),
    ...(options.state !== undefined && { state: options.state }),
  });
  const { records } = await control<Deliveries>(ctx, options, 'GET', `/deliveries?${query.toString()}`);
  const columns = ['id', 'state', 'status', 'attempts', 'subscriptionId', 'uuid', 'error'];
  await ctx.out.list(records, viewOf(columns, 'No deliveries.'));
}

async function replay(ctx: Context, options: SandboxDeliveryOptions): Promise<void> {
  if (options.id === undefined) throw usageError('replay needs the id of the delivery');
  const path = `/deliveries/${encodeURIComponent(options.id)}/replay`;
  const reply = await control(ctx, options, 'POST', path, {});
  await ctx.out.record({ ...reply }, viewOfRecord(reply));
}
