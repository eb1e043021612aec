import type { RingOutRequest } from '../../contract/ringout.ts';
import { isE164 } from '../../platform/e164.ts';
import { ownExtension } from '../request/access.ts';
import { type Authorized, type Handler, numberOf } from '../request/call.ts';
import { cancelCall, rejectCall, startCall, type NewCall } from './engine.ts';
import { toRingOut } from './ringout-view.ts';
import { callOf, calleeOf } from './state.ts';
import { called, extensionOfNumber } from './telephone.ts';
import { invalidParameter, notFound, ServiceError } from '../request/errors.ts';
import { callOutcome } from './magic-numbers.ts';
import type { CallRow } from './store.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import type { World } from '../world/world.ts';
import { hasFeature } from '../directory/number-store.ts';

/** Serves POST .../ringout (RINGOUT-1, RINGOUT-5 to RINGOUT-9, RINGOUT-31). */
export const startRingOut: Handler<'startRingOut'> = (call) => {
  const { world, body } = call;
  const owner = ownExtension(call);
  const to = checkNumber('to', body.to?.phoneNumber);
  const from = callerNumber(world, owner, body.from);
  const request: NewCall = {
    accountId: owner.accountId,
    kind: 'ringout',
    ownerId: owner.id,
    playPrompt: body.playPrompt,
    caller: {
      extensionId: owner.id,
      phoneNumber: from,
      name: owner.name,
      callerId: callerIdOf(world, owner, body.callerId?.phoneNumber),
      plan: callOutcome(from),
    },
    ...called(world, extensionOfNumber(world, to), to),
  };
  const isAllowed = owner.internationalCalling === 1 || isDomestic(world, owner, to);
  const id = isAllowed ? startCall(world, request) : rejectCall(world, request);
  return { json: toRingOut(world, callOf(world, id)) };
};

/** Serves GET .../ringout/{ringoutId}. */
export const readRingOut: Handler<'readRingOut'> = (call) => ({
  json: toRingOut(call.world, ringOutOf(call)),
});

/** Serves DELETE .../ringout/{ringoutId}. A call can be canceled only while the leg of the callee is InProgress. */
export const cancelRingOut: Handler<'cancelRingOut'> = (call) => {
  const { world } = call;
  const row = ringOutOf(call);
  const { status } = calleeOf(world.calls.legs(row.id));
  if (status !== 'InProgress') {
    throw new ServiceError(409, 'CMN-204', `The call cannot be canceled: the callee is ${status}`);
  }
  cancelCall(world, row.id);
  return { status: 204 };
};

/**
 * Returns the call of the path. @throws {ServiceError} 404 CMN-102 for a call that is not a two-legged call of this
 * extension.
 */
function ringOutOf(call: Authorized): CallRow {
  const owner = ownExtension(call);
  const row = call.world.calls.byId(numberOf(call.params['ringoutId']));
  if (row?.kind !== 'ringout' || row.ownerId !== owner.id) throw notFound('ringoutId');
  return row;
}

/** Checks the numbers of a request (RINGOUT-5, RINGOUT-6, RINGOUT-8). */
function checkNumber(side: 'from' | 'to' | 'callerId', phoneNumber: string | undefined): string {
  if (phoneNumber === undefined) throw invalidParameter(side, 'a phone number is required');
  if (!isE164(phoneNumber))
    throw invalidParameter(`${side}.phoneNumber`, 'use a number in E.164 format, such as +16505550113');
  return phoneNumber;
}

/**
 * Returns the number of the first phone: the phoneNumber in `from`, otherwise the forwarding number named in `from`
 * (RINGOUT-10), otherwise the default forwarding number.
 */
function callerNumber(world: World, owner: ExtensionRow, from: RingOutRequest['from']): string {
  if (from === undefined) return defaultNumber(world, owner);
  const { phoneNumber, forwardingNumberId: id } = from;
  if (phoneNumber !== undefined || id === undefined) return checkNumber('from', phoneNumber);
  const number = world.numbers.forwardingById(owner.id, Number(id));
  if (!number) throw notFound('from.forwardingNumberId', 400);
  return number.phoneNumber;
}

/** `from` may be omitted only if the user has a default forwarding number (RINGOUT-5). */
function defaultNumber(world: World, owner: ExtensionRow): string {
  const number = world.numbers.defaultForwarding(owner.id);
  if (!number) throw invalidParameter('from', 'the user has no default forwarding number');
  return number.phoneNumber;
}

/**
 * Checks the caller ID of a request (RINGOUT-31): a number of the user or the company with the feature `CallerId`. The
 * service publishes no rule for other numbers; the sandbox rejects them, because a real service must.
 */
function callerIdOf(world: World, owner: ExtensionRow, phoneNumber: string | undefined): string | undefined {
  if (phoneNumber === undefined) return undefined;
  const number = world.numbers.byNumber(checkNumber('callerId', phoneNumber));
  const isOwn = number?.accountId === owner.accountId && [null, owner.id].includes(number.extensionId);
  if (!isOwn || !hasFeature(number, 'CallerId'))
    throw invalidParameter(
      'callerId.phoneNumber',
      'use a number of this extension with the feature CallerId',
    );
  return phoneNumber;
}

/**
 * Whether a number has the country code of the company's main number. The country code of North America has a single
 * digit.
 */
function isDomestic(world: World, owner: ExtensionRow, phoneNumber: string): boolean {
  const main = world.accounts.byId(owner.accountId)?.mainNumber ?? '';
  return phoneNumber.slice(0, 2) === main.slice(0, 2);
}
