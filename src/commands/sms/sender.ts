import type { Client } from '../../client/index.ts';
import type { PhoneNumber } from '../../contract/phone-number.ts';
import { CommandError, Exit, usageError } from '../../runtime/errors.ts';
import { smsSenders } from './numbers.ts';

/**
 * The one number that can send texts; numbers of one's own go before those of the company, which only the operator may use
 * (specification, SMS rule 5). @throws {CommandError} when there is none, or a choice to be made.
 */
export async function chooseSender(api: Client, signal: AbortSignal): Promise<string> {
  const all: PhoneNumber[] = [];
  for await (const number of smsSenders(api, signal)) all.push(number);
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
