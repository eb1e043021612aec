import { readNumber } from '../../features/outgoing/index.ts';
import { readWindow, withRange } from '../../features/time-window/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { WindowOptions } from '../../runtime/window-options.ts';
import { batchRows } from './batch.rows.ts';

export interface SmsBatchesOptions extends WindowOptions {
  readonly from?: string;
  readonly limit?: number;
}

/** `sms batches`: the batches of the account. */
export async function listBatches(ctx: Context, options: SmsBatchesOptions): Promise<void> {
  const { from, limit } = options;
  const sender = from === undefined ? undefined : (await readNumber(ctx, '--from', from)).number;
  const api = await ctx.api();
  const window = readWindow(options, ctx);
  const filter = {
    ...(window.from !== undefined && { dateFrom: new Date(window.from).toISOString() }),
    ...(window.to !== undefined && { dateTo: new Date(window.to).toISOString() }),
    ...(sender !== undefined && { from: sender }),
  };
  async function* batches(): AsyncGenerator<ReturnType<typeof batchRows.row>, void, undefined> {
    for await (const batch of api.smsBatches.list(filter, { signal: ctx.signal, limit }))
      yield batchRows.row({}, batch);
  }
  await ctx.out.list(batches(), withRange(batchRows.list, window));
}
