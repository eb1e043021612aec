import type { Client } from '../../client/index.ts';
import type { PhoneNumber } from '../../contract/phone-number.ts';
import type { Context } from '../../runtime/context.ts';
import { numberRows } from './number.rows.ts';
import { canSend } from './sender.ts';

export type SmsNumbersOptions = Readonly<Record<string, never>>;

export async function listSmsNumbers(ctx: Context): Promise<void> {
  await ctx.out.list(smsSenders(await ctx.api(), ctx.signal), numberRows.list);
}

/** Lists the user's numbers with the feature `SmsSender` (SMS-4). */
async function* smsSenders(api: Client, signal: AbortSignal): AsyncGenerator<PhoneNumber, void, undefined> {
  for await (const number of api.phoneNumbers.list('~', { signal })) {
    if (canSend(number, 'SmsSender')) yield number;
  }
}
