import { storeInProfile } from '../../config/index.ts';
import type { Client } from '../../client/index.ts';
import type { PhoneNumber } from '../../contract/phone-number.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, messageOf, usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { stepToDialect } from '../../runtime/other-dialect.ts';
import { readWrittenNumber } from '../../platform/e164.ts';

/** Whether a number has a feature. A record without a phone number has none. */
export function canSend(
  { phoneNumber, features }: PhoneNumber,
  feature: 'SmsSender' | 'A2PSmsSender',
): boolean {
  return phoneNumber !== '' && features.includes(feature);
}

/**
 * Returns the sender of a text: the number that the profile stores, otherwise the only number that can send texts.
 * Direct numbers take precedence over company numbers, which only the operator may use (SMS-5). @throws {CommandError}
 * if there is no such number, or several.
 */
export async function chooseSender(ctx: Context, api: Client): Promise<string> {
  const remembered = ctx.settings.smsFrom.value;
  if (remembered !== undefined) return (await readWrittenNumber(remembered)).number;
  const all: PhoneNumber[] = [];
  let hasBatchNumber = false;
  for await (const number of api.phoneNumbers.list('~', { signal: ctx.signal })) {
    if (canSend(number, 'SmsSender')) all.push(number);
    hasBatchNumber ||= canSend(number, 'A2PSmsSender');
  }
  const direct = all.filter(({ usageType }) => usageType === 'DirectNumber');
  const senders = direct.length > 0 ? direct : all;
  const [only, second] = senders;
  if (only && !second) return only.phoneNumber;
  if (only) {
    throw usageError(
      'several of your numbers can send texts',
      'choose a number with --from',
      senders.map(({ phoneNumber, usageType, label }) =>
        [phoneNumber, usageType, label].filter(Boolean).join(' · '),
      ),
    );
  }
  if (hasBatchNumber)
    throw new CommandError(
      'no_sms_sender',
      Exit.notFound,
      'your numbers can send texts only in high-volume batches (A2PSmsSender)',
      {
        hint: nextStep`to send single texts, ask an administrator for a direct number with the feature SmsSender; to send a list in batches: ${ucctl('sms send --high-volume --file LIST --template TEXT')}`,
      },
    );
  throw new CommandError('no_sms_sender', Exit.notFound, 'none of your numbers can send texts', {
    hint: 'ask an administrator for a direct number that can send texts',
  });
}

/**
 * Returns the sender of high-volume texts: the only number of the account with the feature A2PSmsSender (NUMBER-3). The
 * number that the profile stores is only for single texts. @throws {CommandError} in dialect `spec`, and for no such
 * number, or several.
 */
export async function chooseBatchSender(ctx: Context, api: Client): Promise<string> {
  const found: PhoneNumber[] = [];
  for await (const number of api.phoneNumbers.list('~', { signal: ctx.signal }))
    if (canSend(number, 'A2PSmsSender')) found.push(number);
  const [only, second] = found;
  if (only && !second) return only.phoneNumber;
  if (only)
    throw usageError(
      'several numbers can send high-volume texts',
      'choose a number with --from',
      found.map(({ phoneNumber, usageType, label }) =>
        [phoneNumber, usageType, label].filter(Boolean).join(' · '),
      ),
    );
  throw new CommandError(
    'no_sms_sender',
    Exit.notFound,
    'none of your numbers can send high-volume texts (feature A2PSmsSender)',
    {
      hint: 'omit --high-volume to send single texts, or ask an administrator for a number with the feature A2PSmsSender',
    },
  );
}

/** @throws {CommandError} `usage` in dialect `spec`, which does not support high-volume texts. */
export function requireBatches({ settings }: Pick<Context, 'settings'>): void {
  const { value } = settings.dialect;
  if (value === 'current') return;
  throw usageError(
    `--high-volume cannot be used: dialect ${value} does not support high-volume texts`,
    nextStep`omit --high-volume; ${stepToDialect('current', settings, 'high-volume texts')}`,
  );
}

/**
 * Stores a sender in the profile after a text was sent. Stores nothing if UCCTL_TOKEN is set, because the token may
 * belong to another user. If the profile cannot be changed, only a warning is shown: an error would suggest that the text was not
 * sent.
 */
export async function rememberSender(ctx: Context, number: string): Promise<void> {
  const { token, profile, smsFrom } = ctx.settings;
  if (token.value !== undefined || smsFrom.value === number) return;
  try {
    await storeInProfile(ctx.paths, profile.value, { smsFrom: number });
  } catch (error) {
    if (ctx.signal.aborted) throw error;
    ctx.out.warn(`could not store ${number} as the sender of this profile: ${messageOf(error)}`);
    return;
  }
  ctx.out.note(
    nextStep`Stored ${number} as the sender of this profile (undo: ${ucctl('config unset sms-from')})`,
  );
}
