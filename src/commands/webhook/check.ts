import {
  probeHandshake,
  probeNotification,
  sampleNotification,
  type Probe,
  verificationTokenOf,
} from '../../features/live/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { checkRows, type CheckRow } from './probe.rows.ts';
import { receiverUrl } from './receiver-url.ts';
import { maskUserInfoIn } from '../../platform/user-info.ts';

export interface WebhookCheckOptions {
  readonly url: string;
  readonly tries: number;
}

/** `webhook check URL`: sends handshakes and notifications to a receiver and reports failures and times. */
export async function checkWebhook(ctx: Context, { url, tries }: WebhookCheckOptions): Promise<void> {
  const settings = {
    http: await ctx.http(),
    url: receiverUrl(url),
    signal: ctx.signal,
    limitMilliseconds: ctx.settings.webhookLimitMilliseconds.value,
    verificationToken: verificationTokenOf(ctx),
  };
  const handshake = await repeat('handshake', tries, () => probeHandshake(settings));
  const notification = await repeat('notification', tries, () =>
    probeNotification(
      settings,
      JSON.stringify(sampleNotification('messages', { accountId: '1', extensionId: '1001', now: ctx.now() })),
    ),
  );
  const checks = [handshake, notification];
  await ctx.out.list(checks, checkRows.list);
  const failed = checks.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return;
  const details = failed.map(({ check, problem }) => `${check}: ${problem}`);
  throw new CommandError(
    'webhook_check_failed',
    Exit.failed,
    `${maskUserInfoIn(settings.url.href)} would fail the webhook checks of the service`,
    { details, hint: 'fix the receiver, and check it again' },
  );
}

/** Number of consecutive requests without a reply after which the check stops. */
const maxUnanswered = 3;

/** Sends the requests one after the other, as the service does. */
async function repeat(
  check: CheckRow['check'],
  max: number,
  attempt: () => Promise<Probe>,
): Promise<CheckRow> {
  const probes: Probe[] = [];
  for (let unanswered = 0; probes.length < max && unanswered < maxUnanswered;) {
    const probe = await attempt();
    probes.push(probe);
    unanswered = probe.isUnanswered ? unanswered + 1 : 0;
  }
  const tries = probes.length;
  const problems = probes.flatMap(({ problem }) => problem ?? []);
  const times = probes.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b);
  const rounded = (index: number): number => Math.round((times[index] ?? 0) * 10) / 10;
  return {
    check,
    status: problems.length === 0 ? 'ok' : 'failed',
    tries,
    failed: problems.length,
    medianMilliseconds: rounded(Math.floor(tries / 2)),
    slowestMilliseconds: rounded(tries - 1),
    problem: problems[0] ?? null,
  };
}
