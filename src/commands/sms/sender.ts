import type { Client } from '../../client/index.ts';
import type { PhoneNumber } from '../../contract/phone-number.ts';
import { CommandError, Exit, usageError } from '../../runtime/errors.ts';
import { smsSenders } from './numbers.ts';

/** The one number that can send texts. @throws {CommandError} when there is none, or a choice to be made. */
export async function chooseSender(api: Client, signal: AbortSignal): Promise<string> {
  const senders: PhoneNumber[] = [];
  for await (const number of smsSenders(api, signal)) senders.push(number);
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
