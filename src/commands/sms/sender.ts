import { updateConfigFile } from '../../config/index.ts';
import type { Client } from '../../client/index.ts';
import type { PhoneNumber } from '../../contract/phone-number.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, usageError } from '../../errors/command.ts';
import { smsSenders } from './numbers.ts';

/**
 * The number that the profile remembers, else the one number that can send texts; numbers of one's own go before those of the company, which only the operator may use
 * (SMS-5). @throws {CommandError} there is no such number, or several that the user has to choose from.
 */
export async function chooseSender(ctx: Context, api: Client): Promise<string> {
  const remembered = ctx.settings.smsFrom?.value;
  if (remembered !== undefined) return remembered;
  const all: PhoneNumber[] = [];
  for await (const number of smsSenders(api, ctx.signal)) all.push(number);
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
  throw new CommandError('no_sms_sender', Exit.notFound, 'none of your numbers can send texts', {
    hint: 'an administrator can give this extension a direct number with texting',
  });
}

/** Keeps a number that worked as the profile's. Not for a token of the environment, which may be anyone's. */
export async function rememberSender(ctx: Context, number: string): Promise<void> {
  const { token, profile, smsFrom } = ctx.settings;
  if (token.value !== undefined || smsFrom?.value === number) return;
  const name = profile.value;
  await updateConfigFile(ctx.paths, ({ profiles }) => ({
    profiles: { [name]: { ...(Object.hasOwn(profiles, name) && profiles[name]), smsFrom: number } },
  }));
  ctx.out.note(`the profile sends texts from ${number} from now on (ucctl config unset sms-from)`);
}
