import type { FaxDocument } from '../../client/index.ts';
import type { FaxEnvelope } from '../../contract/fax.ts';
import { faxCoverTextCharacters } from '../../contract/limits.ts';
import { faxView, showSent } from '../../features/mailbox/index.ts';
import {
  confirmRequest,
  openDocuments,
  outcomeUnknown,
  readNumbers,
  type UnderstoodNumber,
} from '../../features/outgoing/index.ts';
import { readSendTime } from '../../features/time-window/index.ts';
import { counted } from '../../platform/counted.ts';
import { withLineFeeds } from '../../platform/line-feeds.ts';
import { isoWithOffset } from '../../platform/moment.ts';
import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { waitOptions } from './options.command.ts';
import { faxWaitSeconds, waitForFax } from './wait.ts';

export interface FaxSendOptions {
  readonly to: readonly string[];
  readonly forceNumber?: boolean;
  readonly files: readonly string[];
  readonly resolution?: 'High' | 'Low';
  readonly cover?: number;
  readonly coverText?: string;
  readonly at?: string;
  readonly wait?: boolean;
  readonly waitTimeout?: number;
  readonly dedupeKey?: string;
}

export async function sendFax(ctx: Context, given: FaxSendOptions): Promise<void> {
  const options: FaxSendOptions =
    given.coverText === undefined ? given : { ...given, coverText: withLineFeeds(given.coverText) };
  const { resolution, cover, coverText, at, files } = options;
  const to = await readNumbers(ctx, options.to, { force: options.forceNumber, canForce: true });
  const sendTime = at === undefined ? undefined : timeOfSend(ctx, at);
  if (sendTime !== undefined) checkWait(ctx, options, (sendTime - ctx.now()) / 1000);
  checkCover(options);
  const documents = await openDocuments(ctx, files);
  const numbers = to.map(({ number }) => number);
  await (await ctx.policy()).check({ kind: 'fax', numbers, count: numbers.length, at: sendTime });
  const envelope: FaxEnvelope = {
    to: numbers.map((phoneNumber) => ({ phoneNumber })),
    ...(resolution && { faxResolution: resolution }),
    ...(cover !== undefined && { coverIndex: cover }),
    ...(coverText !== undefined && { coverPageText: coverText }),
    ...(sendTime !== undefined && { sendTime: new Date(sendTime).toISOString() }),
  };
  const when = sendTime === undefined ? undefined : isoWithOffset(sendTime, ctx.out.zone);
  ctx.out.preview(planText(options, to, when, documents));
  await confirmRequest(
    ctx,
    to.length === 1 ? 'Send this fax?' : `Send this fax to ${counted(to.length, 'number')}?`,
  );
  const api = await ctx.api();
  const sent = await outcomeUnknown(
    ctx,
    `the service may have sent the fax to ${numbers.join(', ')}`,
    ucctl('fax list'),
    () => api.faxes.send(envelope, documents, { dedupeKey: options.dedupeKey, ...timeoutOf(ctx) }),
  );
  if (options.wait) return waitForFax(ctx, api, sent, options.waitTimeout);
  await showSent(ctx, sent, { type: 'Fax', view: faxView });
}

/** A fax has a longer default timeout than other requests, because its body can be large. */
function timeoutOf({ settings }: Context): { readonly timeoutMilliseconds?: number } {
  return settings.timeoutSeconds.origin === 'default' ? { timeoutMilliseconds: 300_000 } : {};
}

function checkCover({
  cover,
  coverText,
  files,
}: Pick<FaxSendOptions, 'cover' | 'coverText' | 'files'>): void {
  if (coverText?.trim() === '')
    throw usageError('--cover-text: the value is empty', 'specify a value, or omit --cover-text');
  if (coverText !== undefined && coverText.length > faxCoverTextCharacters) {
    throw usageError(
      `--cover-text has ${coverText.length} UTF-16 code units, but the maximum is ${faxCoverTextCharacters}`,
      'shorten the text, or send it as a document',
    );
  }
  if (coverText !== undefined && (cover ?? 0) === 0) {
    throw usageError('--cover-text needs a cover page', 'choose a cover page: --cover 1 to --cover 13');
  }
  if (files.length === 0) {
    throw usageError('the fax has no document', 'specify FILE...; a cover page needs a document');
  }
}

/** Returns when the service sends the fax; undefined for at once, which `now` and `0m` mean. */
function timeOfSend(ctx: Context, text: string): number | undefined {
  const base = ctx.baseTime();
  const at = readSendTime({ baseTime: () => base, out: ctx.out }, text);
  if (at === base) return undefined;
  if (at < Math.max(base, ctx.now()))
    throw usageError(
      `--at ${text} is in the past: it means ${isoWithOffset(at, ctx.out.zone)}`,
      'specify a later time, or a delay such as 2h',
    );
  return at;
}

/** Rejects a --wait that would end before the scheduled time. */
function checkWait(ctx: Context, { wait, waitTimeout, at }: FaxSendOptions, secondsUntil: number): void {
  if (!wait || secondsUntil < faxWaitSeconds(ctx, waitTimeout)) return;
  // A fax of a few pages is sent within 15 minutes.
  const minutes = Math.ceil(secondsUntil / 60) + 15;
  const check = ucctl('fax status ID --wait');
  throw usageError(
    `--wait would end before the fax is sent (--at ${at ?? ''})`,
    minutes * 60 <= waitOptions.waitTimeout.maxSeconds
      ? nextStep`increase the limit: --wait-timeout ${minutes}m; or remove --wait; to check later: ${check}`
      : nextStep`remove --wait; to check later: ${check}`,
  );
}

/** Returns the summary of the fax, shown before the confirmation. */
function planText(
  { resolution, cover, coverText }: FaxSendOptions,
  to: readonly UnderstoodNumber[],
  when: string | undefined,
  documents: readonly FaxDocument[],
): string {
  const how = [
    ...(resolution ? [`${resolution} resolution`] : []),
    ...(when === undefined ? [] : [`at ${when}`]),
  ];
  const coverPage = cover ?? 0;
  return [
    `to ${to.map(({ shown }) => shown).join(', ')} (${to.length})${how.map((one) => `, ${one}`).join('')}:`,
    ...(coverPage > 0 ? [`  cover page ${coverPage}${coverText === undefined ? '' : `: ${coverText}`}`] : []),
    ...documents.map(({ fileName, size }) => `  ${fileName}, ${counted(size, 'byte')}`),
  ].join('\n');
}
