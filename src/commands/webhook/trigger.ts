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
import type { View } from '../../runtime/output.ts';
import { receiverUrl } from './receiver-url.ts';

export interface WebhookTriggerOptions {
  readonly event: string;
  readonly url: string;
  readonly extension: string;
  readonly account: string;
  readonly handshake?: boolean;
  readonly edit?: string;
}

interface Sent {
  readonly step: 'handshake' | 'notification';
  readonly status: 'ok' | 'failed';
  readonly milliseconds: number;
  readonly problem: string | null;
  /** What was sent. */
  readonly notification: unknown;
}

const view: View<Sent> = {
  columns: [
    { key: 'step', title: 'STEP', kind: 'text', value: (row) => row.step },
    { key: 'status', title: 'STATUS', kind: 'status', value: (row) => row.status },
    { key: 'milliseconds', title: 'MS', kind: 'number', value: (row) => row.milliseconds },
    { key: 'problem', title: 'PROBLEM', kind: 'text', value: (row) => row.problem, folds: true },
  ],
};

/** `webhook trigger EVENT URL`: what a receiver would get, without the service. */
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
  const rows: Sent[] = [];
  if (options.handshake) rows.push(toRow('handshake', await probeHandshake(settings), null));
  if (rows.every(({ status }) => status === 'ok')) {
    rows.push(toRow('notification', await probeNotification(settings, text), JSON.parse(text)));
  }
  await ctx.out.list(rows, view);
  const failed = rows.find(({ status }) => status === 'failed');
  if (failed)
    throw new CommandError('not_taken', Exit.failed, `the ${failed.step} was not taken: ${failed.problem}`);
}

async function sampleText(ctx: Context, { event, extension, account, edit }: WebhookTriggerOptions) {
  const sample = sampleNotification(event.toLowerCase(), {
    accountId: account,
    extensionId: extension,
    now: ctx.now(),
  });
  if (!sample) throw usageError(`there is no event "${event}"`, `one of: ${sampleNames.join(', ')}`);
  const text = JSON.stringify(sample);
  return edit === undefined ? text : (await compileEdit(edit))(text);
}

function toRow(step: Sent['step'], { milliseconds, problem }: Probe, notification: unknown): Sent {
  return {
    step,
    status: problem === undefined ? 'ok' : 'failed',
    milliseconds: Math.round(milliseconds),
    problem: problem ?? null,
    notification,
  };
}
