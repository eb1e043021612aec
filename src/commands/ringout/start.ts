import type { Client } from '../../client/index.ts';
import type { RingOut, RingOutRequest } from '../../contract/ringout.ts';
import { confirmRequest, outcomeUnknown, readNumber } from '../../features/outgoing/index.ts';
import {
  explainCall,
  followRingOut,
  hasFailed,
  isOver,
  ringOutView,
  toState,
  wasConnected,
  type FollowParts,
  type RingOutGoal,
} from '../../features/ringout/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, messageOf, usageError } from '../../errors/command.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';
import { Interrupted } from '../../errors/interrupted.ts';
import { waitLimit } from '../../runtime/wait-limit.ts';
import type { RingOutState } from '../../features/ringout/index.ts';
import { cancelInterrupted } from './interrupt.ts';
import { liveUpdates, liveView } from './live-view.ts';
import { defaultCaller, numberByLabel } from './numbers.ts';

export interface RingOutStartOptions {
  readonly to: string;
  readonly from?: string;
  readonly fromLabel?: string;
  readonly callerId?: string;
  readonly prompt?: boolean;
  readonly wait?: RingOutGoal;
  readonly waitTimeout?: number;
  readonly interval: number;
  readonly dedupeKey?: string;
  readonly forceNumber?: boolean;
}

/** Returns the hint for a number that is an extension number. */
function colleagueHint(extension: string): Hint {
  return nextStep`ringout start takes phone numbers, so use the person's direct number; to send a message to an extension: ${ucctl`pager send --to ${extension} "TEXT"`}`;
}

/**
 * `ringout start`: shows the two phones, asks for confirmation, calls, and with `--wait` shows the status until the
 * call is connected or finished.
 */
export async function startRingOut(ctx: Context, options: RingOutStartOptions): Promise<void> {
  requireCallerIdPossible(ctx, options);
  const reading = { force: options.forceNumber, canForce: true, forExtension: colleagueHint };
  const to = await readNumber(ctx, '--to', options.to, reading);
  const typedFrom =
    options.from === undefined ? undefined : await readNumber(ctx, '--from', options.from, reading);
  const shown =
    options.callerId === undefined
      ? undefined
      : await readNumber(ctx, '--caller-id', options.callerId, reading);
  const policy = await ctx.policy();
  const own = typedFrom === undefined ? [] : [typedFrom.number];
  await policy.check({ kind: 'ringout', numbers: [to.number, ...own] });
  const api = await ctx.api();
  const from = typedFrom?.number ?? (await ownPhone(ctx, api, options.fromLabel));
  const request: RingOutRequest = {
    from: { phoneNumber: from },
    to: { phoneNumber: to.number },
    ...(options.prompt !== undefined && { playPrompt: options.prompt }),
    ...(shown && { callerId: { phoneNumber: shown.number } }),
  };
  const seen = shown ? ` The other party sees ${shown.number}.` : '';
  ctx.out.preview(`The call rings ${from} first, then ${to.shown}.${seen}`);
  await confirmRequest(ctx, `Call ${to.number}?`);
  const call = await outcomeUnknown(
    ctx,
    `the service may have placed the call to ${to.number}`,
    nextStep`${ucctl('calllog active')}, ${ucctl('calllog list')}`,
    () => api.ringOuts.start(request, { dedupeKey: options.dedupeKey }),
  );
  if (options.wait === undefined) {
    await ctx.out.record(toState(call, ctx.now()), ringOutView);
    if (hasFailed(call)) throw notReached(call, 'connected');
    return;
  }
  await follow(ctx, api, call, options.wait, options);
}

/** @throws {CommandError} `usage` for --caller-id in dialect `spec`, in which a request cannot set it (RINGOUT-9). */
function requireCallerIdPossible(ctx: Context, { callerId }: RingOutStartOptions): void {
  if (callerId === undefined || ctx.settings.dialect.value === 'current') return;
  throw usageError(
    '--caller-id requires dialect current: in dialect spec, a request cannot set the caller ID',
    'omit --caller-id, or use --dialect current if the service supports it',
  );
}

function ownPhone(ctx: Context, api: Client, label: string | undefined): Promise<string> {
  return label === undefined ? defaultCaller(ctx, api) : numberByLabel(ctx, api, label);
}

const longestSeconds: Readonly<Record<RingOutGoal, number>> = { connected: 120, finished: 4 * 3600 };

async function follow(
  ctx: Context,
  api: Client,
  call: RingOut,
  goal: RingOutGoal,
  { waitTimeout, interval }: RingOutStartOptions,
): Promise<void> {
  const milliseconds = waitLimit(ctx.settings, waitTimeout, longestSeconds[goal]) * 1000;
  const until = ctx.elapsed() + milliseconds;
  // The timeout also aborts a status request that gets no reply.
  const end = AbortSignal.timeout(milliseconds);
  // Aborts when the user quits the live view, which ends the pending wait or request of the view.
  const quit = new AbortController();
  const interrupt = AbortSignal.any([ctx.signal, quit.signal]);
  let last = call;
  const parts = {
    api,
    goal,
    intervalMilliseconds: interval * 1000,
    signal: AbortSignal.any([interrupt, end]),
    sleep: async (milliseconds: number) => {
      if (ctx.elapsed() >= until) throw new WaitTimeout();
      await ctx.sleep(milliseconds, quit.signal);
    },
  };
  const states = async function* (from: RingOut): AsyncGenerator<RingOutState, void, undefined> {
    for await (const one of statesOf(from, parts)) {
      last = one;
      yield toState(one, ctx.now());
    }
  };
  const show = async (): Promise<void> => {
    const screens = liveUpdates(states(call), goal);
    const hasQuit = await ctx.out.board(screens, liveView(ctx.out), { signal: ctx.signal });
    if (hasQuit && !isOver(last, goal)) quit.abort(new Interrupted('SIGINT'));
    quit.signal.throwIfAborted();
  };
  // The output of -o json is one document, so it has only the final status.
  const isDocument = ctx.out.format === 'json';
  let failure: CommandError | undefined;
  try {
    if (!isDocument) await show();
    // The final status of the call determines the exit code, even if the program that reads stdout has exited.
    if (!isOver(last, goal)) for await (const _ of states(last));
  } catch (error) {
    if (interrupt.aborted) await cancelInterrupted(ctx, api, last);
    // An error of the output, such as a failed --jq, says nothing about the call.
    if (!(error instanceof StatusFailure)) throw error;
    const isOverdue = error.cause instanceof WaitTimeout || end.aborted;
    if (!interrupt.aborted && !isOverdue) failure = statusUnavailable(last, error.cause);
  }
  if (isDocument) await ctx.out.record(toState(last, ctx.now()), ringOutView);
  if (failure) throw failure;
  interrupt.throwIfAborted();
  if (wasConnected(last) && isOver(last, goal)) return;
  throw notReached(last, goal);
}

/** Yields `first` and each later state of the call. @throws {StatusFailure} if the status cannot be read. */
async function* statesOf(first: RingOut, parts: FollowParts): AsyncGenerator<RingOut, void, undefined> {
  try {
    yield* followRingOut(first, parts);
  } catch (error) {
    throw new StatusFailure(error);
  }
}

/** Wraps an error of reading the status of the call. */
class StatusFailure extends Error {
  override readonly name = 'StatusFailure';

  constructor(cause: unknown) {
    super('the status of the call was not read', { cause });
  }
}

/** The error for an elapsed `--wait-timeout`. */
class WaitTimeout extends Error {
  override readonly name = 'WaitTimeout';
}

/** The original error is not reported, because its exit code 7 would mean that no phone rang. */
function statusUnavailable(call: RingOut, cause: unknown): CommandError {
  return new CommandError(
    'state_not_reached',
    Exit.stateNotReached,
    `cannot read the status of call ${call.id}: ${messageOf(cause)}; last status: ${explainCall(call)}`,
    { hint: statusHint(call), cause },
  );
}

function statusHint({ id }: RingOut): Hint {
  return nextStep`to check the call: ${ucctl`ringout status ${id}`}; to cancel the call: ${ucctl`ringout cancel ${id}`}`;
}

function notReached(call: RingOut, goal: RingOutGoal): CommandError {
  const timedOut = isOver(call, goal) ? '' : 'timed out; ';
  return new CommandError(
    'state_not_reached',
    Exit.stateNotReached,
    `call ${call.id}: ${timedOut}${explainCall(call)}`,
    {
      hint: isOver(call, goal) ? undefined : statusHint(call),
    },
  );
}
