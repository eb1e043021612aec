import type { Client } from '../../client/index.ts';
import type { ForwardingNumber } from '../../contract/phone-number.ts';
import type { Context } from '../../runtime/context.ts';
import { notFoundError, usageError } from '../../errors/command.ts';
import { ucctl } from '../../errors/hint.ts';
import { forwardingNumberRows } from './number.rows.ts';

export type RingOutNumbersOptions = Readonly<Record<string, never>>;

export async function listRingOutNumbers(ctx: Context): Promise<void> {
  await ctx.out.list(usable(ctx, await ctx.api()), forwardingNumberRows.list);
}

/**
 * Returns the forwarding number that has a label and can place calls. @throws {CommandError} if no number or
 * several numbers have this label.
 */
export async function numberByLabel(ctx: Context, api: Client, label: string): Promise<string> {
  const all: ForwardingNumber[] = [];
  for await (const number of usable(ctx, api)) all.push(number);
  const wanted = label.trim().toLowerCase();
  const [only, second] = all.filter((number) => number.label.toLowerCase() === wanted);
  const lines = all.map((number) => `${number.phoneNumber} · ${number.label}`);
  if (!only)
    throw notFoundError(`forwarding number with label "${label}" not found`, ucctl('ringout numbers'), lines);
  if (second)
    throw usageError(
      `several forwarding numbers have the label "${label}"`,
      'choose a number with --from',
      lines,
    );
  return only.phoneNumber;
}

/**
 * Returns the phone that rings first without --from: the first forwarding number that can place calls, otherwise the
 * first direct number of the user. @throws {CommandError} if the user has no such number.
 */
export async function defaultCaller(ctx: Context, api: Client): Promise<string> {
  for await (const { phoneNumber } of usable(ctx, api)) return phoneNumber;
  for await (const { phoneNumber, usageType } of api.phoneNumbers.list('~', { signal: ctx.signal }))
    if (usageType === 'DirectNumber' && phoneNumber !== '') return phoneNumber;
  throw notFoundError(
    'you have no forwarding number that can place calls, and no direct number',
    'specify the phone that rings first with --from NUMBER',
  );
}

/** Numbers with feature `CallForwarding` (RINGOUT-11). A record without a phone number cannot place calls. */
async function* usable(ctx: Context, api: Client): AsyncGenerator<ForwardingNumber, void, undefined> {
  for await (const number of api.phoneNumbers.forwarding('~', { signal: ctx.signal })) {
    if (number.features.includes('CallForwarding') && number.phoneNumber !== '') yield number;
  }
}
