import { updateConfigFile } from '../../config/index.ts';
import type { Client } from '../../client/index.ts';
import type { PhoneNumber } from '../../contract/phone-number.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, usageError } from '../../errors/command.ts';

/**
 * The sender of a text: the number that the profile remembers, otherwise the only number that can send texts. Direct numbers take precedence over
 * company numbers, which only the operator may use (SMS-5). @throws {CommandError} for no such number, or several.
 */
export async function chooseSender(ctx: Context, api: Client): Promise<string> {
  const remembered = ctx.settings.smsFrom?.value;
  if (remembered !== undefined) return remembered;
  const all: PhoneNumber[] = [];
  let hasBatchNumber = false;
  for await (const number of api.phoneNumbers.list('~', { signal: ctx.signal })) {
    if (number.features.includes('SmsSender')) all.push(number);
    hasBatchNumber ||= number.features.includes('A2PSmsSender');
  }
  const direct = all.filter(({ usageType }) => usageType === 'DirectNumber');
  const senders = direct.length > 0 ? direct : all;
  const [only, second] = senders;
  if (only && !second) return only.phoneNumber;
  if (only) {
    throw usageError(
      'several of your numbers can send texts',
      'choose one with --from',
      senders.map(({ phoneNumber, usageType, label }) =>
        [phoneNumber, usageType, label].filter(Boolean).join(' · '),
      ),
    );
  }
  if (hasBatchNumber)
    throw new CommandError(
      'no_sms_sender',
      Exit.notFound,
      'your numbers can send texts only in high-volume batches (A2PSmsSender), which ucctl sms send does not support',
      { hint: 'ask an administrator for a direct number that can send single texts (SmsSender)' },
    );
  throw new CommandError('no_sms_sender', Exit.notFound, 'none of your numbers can send texts', {
    hint: 'ask an administrator for a direct number that can send texts',
  });
}

/** Stores a sender in the profile after a text was sent. Not with UCCTL_TOKEN, which may belong to another user. */
export async function rememberSender(ctx: Context, number: string): Promise<void> {
  const { token, profile, smsFrom } = ctx.settings;
  if (token.value !== undefined || smsFrom?.value === number) return;
  const name = profile.value;
  await updateConfigFile(ctx.paths, ({ profiles }) => ({
    profiles: { [name]: { ...(Object.hasOwn(profiles, name) && profiles[name]), smsFrom: number } },
  }));
  ctx.out.note(`Stored ${number} as the sender of this profile (undo: ucctl config unset sms-from)`);
}
