import type { Client } from '../../client/index.ts';
import type { PhoneNumber } from '../../contract/phone-number.ts';
import type { Context } from '../../runtime/context.ts';
import { callerIdRows } from './number.rows.ts';

export type RingOutCallerIdsOptions = Readonly<Record<string, never>>;

export async function listCallerIds(ctx: Context): Promise<void> {
  await ctx.out.list(callerIds(await ctx.api(), ctx.signal), callerIdRows.list);
}

/** Lists the user's numbers with the feature `CallerId` (NUMBER-2). */
async function* callerIds(api: Client, signal: AbortSignal): AsyncGenerator<PhoneNumber, void, undefined> {
  for await (const number of api.phoneNumbers.list('~', { signal })) {
    if (number.features.includes('CallerId') && number.phoneNumber !== '') yield number;
  }
}
