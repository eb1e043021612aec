import {
  isOver,
  mayBeCanceled,
  ringOutView,
  type RingOutGoal,
  type RingOutState,
} from '../../features/ringout/index.ts';
import type { BoardScreen, Output, View } from '../../runtime/output.ts';

/** The live table has no column for the explanation, because its footer shows the explanation. */
export function liveView({ isTerminal, format }: Pick<Output, 'isTerminal' | 'format'>): View<RingOutState> {
  if (!isTerminal || format !== 'table') return ringOutView;
  return { ...ringOutView, columns: ringOutView.columns.filter(({ key }) => key !== 'explanation') };
}

/** Yields a screen for each state of the call. The title of the screen states the effect of `q` and Ctrl-C in this state. */
export async function* liveUpdates(
  states: AsyncIterable<RingOutState>,
  goal: RingOutGoal,
): AsyncGenerator<BoardScreen<RingOutState>, void, undefined> {
  for await (const state of states) {
    yield {
      title: `Call ${state.id}${quitEffect(state, goal)}`,
      rows: [state],
      footer: state.explanation,
      changed: [state],
    };
  }
}

/** Describes the effect of quitting with `q` or Ctrl-C: `cancelInterrupted` cancels a call only if it may be canceled. */
function quitEffect({ callStatus, callerStatus, calleeStatus }: RingOutState, goal: RingOutGoal): string {
  const call = { status: { callStatus, callerStatus, calleeStatus } };
  if (isOver(call, goal)) return '';
  return mayBeCanceled(call) ? ' · Quitting cancels the call' : ' · Quitting does not end the call';
}
