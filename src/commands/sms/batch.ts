import { notFoundError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { isMissingResource } from '../../errors/service-codes.ts';
import type { Context } from '../../runtime/context.ts';
import { receiverRows, type BatchReceiver } from './batch.rows.ts';

export interface SmsBatchOptions {
  readonly batch: string;
}

/** `sms batch BATCH`: the status of each text of a batch. */
export async function showBatch(ctx: Context, { batch: id }: SmsBatchOptions): Promise<void> {
  const api = await ctx.api();
  const { signal } = ctx;
  const batch = await api.smsBatches.get(id, { signal }).catch((error: unknown) => {
    if (!isMissingResource(error)) throw error;
    throw notFoundError(`batch ${id} not found`, nextStep`to list the batches: ${ucctl('sms batches')}`);
  });
  async function* receivers(): AsyncGenerator<BatchReceiver, void, undefined> {
    for (const { to = [], errorCode, description } of batch.rejected ?? [])
      yield {
        to: to.join(', '),
        status: 'Rejected',
        errorCode: errorCode ?? null,
        reason: description ?? null,
        lastModifiedTime: batch.creationTime ?? null,
        id: null,
      };
    for await (const text of api.smsBatches.messages({ batchId: id }, { signal }))
      yield {
        to: (text.to ?? []).join(', '),
        status: text.messageStatus ?? 'unknown',
        errorCode: text.errorCode ?? null,
        reason: null,
        lastModifiedTime: text.lastModifiedTime ?? null,
        id: String(text.id),
      };
  }
  await ctx.out.list(receivers(), receiverRows.list);
  const { status = 'unknown', processedCount = 0, batchSize = 0 } = batch;
  ctx.out.note(`Batch ${batch.id}: ${status}, ${processedCount} of ${batchSize} processed`);
}
