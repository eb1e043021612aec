import type { Client } from '../../client/index.ts';
import type { ForwardingNumber } from '../../contract/phone-number.ts';
import type { Context } from '../../runtime/context.ts';
import { notFoundError, usageError } from '../../errors/command.ts';
import { ucctl } from '../../errors/hint.ts';
import type { View } from '../../runtime/output.ts';

export type RingOutNumbersOptions = Readonly<Record<string, never>>;

const view: View<ForwardingNumber> = {
  columns: [
    { key: 'phoneNumber', title: 'NUMBER', kind: 'phone', value: (row) => row.phoneNumber, priority: 5 },
    { key: 'label', title: 'LABEL', value: (row) => row.label, priority: 4 },
    { key: 'type', title: 'TYPE', value: (row) => row.type, priority: 2 },
  ],
  empty: 'No forwarding number that a call can start from; the account portal adds them.',
};

/** `ringout numbers` */
export async function listRingOutNumbers(ctx: Context): Promise<void> {
  await ctx.out.list(usable(ctx, await ctx.api()), view);
}

/** The usable forwarding number of a label. @throws {CommandError} when there is none, or several. */
export async function numberByLabel(ctx: Context, api: Client, label: string): Promise<string> {
  const all: ForwardingNumber[] = [];
  for await (const number of usable(ctx, api)) all.push(number);
  const wanted = label.trim().toLowerCase();
  const [only, second] = all.filter((number) => number.label.toLowerCase() === wanted);
  const lines = all.map((number) => `${number.phoneNumber} · ${number.label}`);
  if (!only)
    throw notFoundError(
      `no usable forwarding number has the label "${label}"`,
      ucctl('ringout numbers'),
      lines,
    );
  if (second)
    throw usageError(`several forwarding numbers have the label "${label}"`, 'choose one with --from', lines);
  return only.phoneNumber;
}

/** Those with feature `CallForwarding` (RINGOUT-11). */
async function* usable(ctx: Context, api: Client): AsyncGenerator<ForwardingNumber, void, undefined> {
  for await (const number of api.phoneNumbers.forwarding('~', { signal: ctx.signal })) {
    if (number.features.includes('CallForwarding')) yield number;
  }
}
