import type { Client } from '../../client/index.ts';
import type { RingOut, RingOutRequest } from '../../contract/ringout.ts';
import { confirmSend, outcomeUnknown, readNumber } from '../../features/outgoing/index.ts';
import {
  explainCall,
  followRingOut,
  isOver,
  ringOutView,
  toState,
  type RingOutGoal,
} from '../../features/ringout/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, messageOf } from '../../errors/command.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';
import { waitLimit } from '../../runtime/wait-limit.ts';
import type { RingOutState } from '../../features/ringout/index.ts';
import { cancelInterrupted } from './interrupt.ts';
import { liveFrames, liveView } from './live-view.ts';
import { numberByLabel } from './numbers.ts';

export interface RingOutStartOptions {
  readonly to: string;
  readonly from?: string;
  readonly fromLabel?: string;
  readonly prompt?: boolean;
  readonly wait?: RingOutGoal;
  readonly waitTimeout?: number;
  readonly interval: number;
  readonly dedupeKey?: string;
}

/** `ringout start`: says what will ring, asks, rings, and with `--wait` follows the call. */
export async function startRingOut(ctx: Context, options: RingOutStartOptions): Promise<void> {
  const to = await readNumber(ctx, '--to', options.to);
  const typedFrom = options.from === undefined ? undefined : await readNumber(ctx, '--from', options.from);
  const policy = await ctx.policy();
  const own = typedFrom === undefined ? [] : [typedFrom.number];
  await policy.check({ kind: 'ringout', numbers: [to.number, ...own] });
  const api = await ctx.api();
  const from =
    options.fromLabel === undefined ? typedFrom?.number : await numberByLabel(ctx, api, options.fromLabel);
  const request: RingOutRequest = {
    ...(from !== undefined && { from: { phoneNumber: from } }),
    to: { phoneNumber: to.number },
    ...(options.prompt !== undefined && { playPrompt: options.prompt }),
  };
  ctx.out.preview(`rings ${from ?? 'your default forwarding number'} first, then ${to.shown}`);
  await confirmSend(ctx, `Call ${to.number}?`);
  const call = await outcomeUnknown(
    ctx,
    `the call to ${to.number} may have been placed`,
    nextStep`${ucctl('calllog active')}, ${ucctl('calllog list')}`,
    () => api.ringOuts.start(request, { dedupeKey: options.dedupeKey }),
  );
  if (options.wait === undefined) return ctx.out.record(toState(call, ctx.now()), ringOutView);
  await follow(ctx, api, call, options.wait, options);
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
  const until = ctx.now() + milliseconds;
  // A look that gets no reply must not outlast the wait.
  const end = AbortSignal.timeout(milliseconds);
  let last = call;
  const states = async function* (from: RingOut): AsyncGenerator<RingOutState, void, undefined> {
    const parts = {
      api,
      goal,
      intervalMilliseconds: interval * 1000,
      signal: AbortSignal.any([ctx.signal, end]),
      sleep: async (milliseconds: number) => {
        if (ctx.now() >= until) throw new WaitIsOver();
        await ctx.sleep(milliseconds);
      },
    };
    for await (const one of followRingOut(from, parts)) {
      last = one;
      yield toState(one, ctx.now());
    }
  };
  try {
    await ctx.out.board(liveFrames(states(call), goal), liveView(ctx.out), { signal: ctx.signal });
    // Nobody reads any more, and the call goes on: its end still decides the exit code.
    if (!isOver(last, goal)) for await (const _ of states(last));
  } catch (error) {
    if (ctx.signal.aborted) await cancelInterrupted(ctx, api, last);
    const isOverdue = error instanceof WaitIsOver || end.aborted;
    if (!ctx.signal.aborted && !isOverdue) throw lostSight(last, error);
  }
  ctx.signal.throwIfAborted();
  if (last.status.callStatus === 'Success' && isOver(last, goal)) return;
  throw notReached(last, goal);
}

/** The time of `--wait-timeout` is over. */
class WaitIsOver extends Error {
  override readonly name = 'WaitIsOver';
}

/** Never the error itself: exit 7 would say that nobody was rung. */
function lostSight(call: RingOut, cause: unknown): CommandError {
  return new CommandError(
    'state_not_reached',
    Exit.stateNotReached,
    `call ${call.id}: ${explainCall(call)} when it was seen last; it cannot be looked at any more: ${messageOf(cause)}`,
    { hint: lookAgain(call), cause },
  );
}

function lookAgain({ id }: RingOut): Hint {
  return nextStep`look again: ${ucctl(`ringout status ${id}`)}; end it: ${ucctl(`ringout cancel ${id}`)}`;
}

function notReached(call: RingOut, goal: RingOutGoal): CommandError {
  const still = isOver(call, goal) ? '' : 'the time is up; ';
  return new CommandError(
    'state_not_reached',
    Exit.stateNotReached,
    `call ${call.id}: ${still}${explainCall(call)}`,
    {
      hint: isOver(call, goal) ? undefined : lookAgain(call),
    },
  );
}
