import {
  probeHandshake,
  probeNotification,
  sampleNotification,
  type Probe,
  verificationTokenOf,
} from '../../features/live/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import type { View } from '../../runtime/output.ts';
import { receiverUrl } from './receiver-url.ts';

export interface WebhookCheckOptions {
  readonly url: string;
  readonly tries: number;
}

interface Check {
  readonly check: 'handshake' | 'notification';
  readonly status: 'ok' | 'failed';
  /** Made; fewer than asked for when no reply comes any more. */
  readonly tries: number;
  readonly failed: number;
  /** Of all tries. */
  readonly medianMilliseconds: number;
  readonly slowestMilliseconds: number;
  readonly problem: string | null;
}

const view: View<Check> = {
  columns: [
    { key: 'check', title: 'CHECK', kind: 'text', value: (row) => row.check },
    { key: 'status', title: 'STATUS', kind: 'status', value: (row) => row.status },
    { key: 'failed', title: 'FAILED', kind: 'text', value: (row) => `${row.failed} of ${row.tries}` },
    { key: 'medianMilliseconds', title: 'MEDIAN MS', kind: 'number', value: (row) => row.medianMilliseconds },
    {
      key: 'slowestMilliseconds',
      title: 'SLOWEST MS',
      kind: 'number',
      value: (row) => row.slowestMilliseconds,
    },
    { key: 'problem', title: 'PROBLEM', kind: 'text', value: (row) => row.problem, folds: true },
  ],
};

/** `webhook check URL`: a receiver as the service would judge it. */
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
  await ctx.out.list(checks, view);
  const failed = checks.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return;
  const words = failed.map(({ check, problem }) => `${check}: ${problem}`);
  throw new CommandError('receiver_unfit', Exit.failed, `the service would not be content with ${url}`, {
    details: words,
  });
}

/** Tries without any reply in a row, after which no more are waited for. */
const mostSilent = 3;

/** One after the other, as the service delivers. */
async function repeat(check: Check['check'], most: number, attempt: () => Promise<Probe>): Promise<Check> {
  const probes: Probe[] = [];
  for (let silent = 0; probes.length < most && silent < mostSilent;) {
    const probe = await attempt();
    probes.push(probe);
    silent = probe.isSilent ? silent + 1 : 0;
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
