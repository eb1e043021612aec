import {
  compileEdit,
  probeHandshake,
  probeNotification,
  sampleNames,
  sampleNotification,
  type Probe,
  verificationTokenOf,
} from '../../features/live/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, usageError } from '../../errors/command.ts';
import { triggerRows, type TriggerRow } from './probe.rows.ts';
import { receiverUrl } from './receiver-url.ts';

export interface WebhookTriggerOptions {
  readonly event: string;
  readonly url: string;
  readonly extension: string;
  readonly account: string;
  readonly handshake?: boolean;
  readonly edit?: string;
}

/** `webhook trigger EVENT URL`: sends a sample event to a receiver. */
export async function triggerWebhook(ctx: Context, options: WebhookTriggerOptions): Promise<void> {
  const url = receiverUrl(options.url);
  const text = await sampleText(ctx, options);
  const settings = {
    http: await ctx.http(),
    url,
    signal: ctx.signal,
    limitMilliseconds: ctx.settings.webhookLimitMilliseconds.value,
    verificationToken: verificationTokenOf(ctx),
  };
  const rows: TriggerRow[] = [];
  if (options.handshake) rows.push(toRow('handshake', await probeHandshake(settings), null));
  if (rows.every(({ status }) => status === 'ok')) {
    rows.push(toRow('notification', await probeNotification(settings, text), JSON.parse(text)));
  }
  await ctx.out.list(rows, triggerRows.list);
  const failed = rows.find(({ status }) => status === 'failed');
  if (failed)
    throw new CommandError(
      'not_delivered',
      Exit.failed,
      `${options.url} did not accept the ${failed.step}: ${failed.problem}`,
      { hint: 'check the log of the receiver, and send the event again' },
    );
}

async function sampleText(ctx: Context, { event, extension, account, edit }: WebhookTriggerOptions) {
  const sample = sampleNotification(event.toLowerCase(), {
    accountId: account,
    extensionId: extension,
    now: ctx.now(),
  });
  if (!sample) throw usageError(`unknown event "${event}"`, `use one of: ${sampleNames.join(', ')}`);
  const text = JSON.stringify(sample);
  return edit === undefined ? text : (await compileEdit(edit))(text);
}

function toRow(
  step: TriggerRow['step'],
  { milliseconds, problem }: Probe,
  notification: unknown,
): TriggerRow {
  return {
    step,
    status: problem === undefined ? 'ok' : 'failed',
    milliseconds: Math.round(milliseconds),
    problem: problem ?? null,
    notification,
  };
}
