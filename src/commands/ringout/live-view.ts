import { isOver, ringOutView, type RingOutGoal, type RingOutState } from '../../features/ringout/index.ts';
import type { BoardScreen, Output, View } from '../../runtime/output.ts';

/** The live table has no column for the explanation, because its footer shows the explanation. */
export function liveView({ isTerminal, format }: Pick<Output, 'isTerminal' | 'format'>): View<RingOutState> {
  if (!isTerminal || format !== 'table') return ringOutView;
  return { ...ringOutView, columns: ringOutView.columns.filter(({ key }) => key !== 'explanation') };
}

/** Yields a screen for each state of the call. The title of the screen states the effect of Ctrl-C in this state. */
export async function* liveUpdates(
  states: AsyncIterable<RingOutState>,
  goal: RingOutGoal,
): AsyncGenerator<BoardScreen<RingOutState>, void, undefined> {
  for await (const state of states) {
    yield {
      title: `Call ${state.id}${interruptEffect(state, goal)}`,
      rows: [state],
      footer: state.explanation,
      changed: [state],
    };
  }
}

/** Describes the effect of Ctrl-C: a call can be canceled while the callee's phone rings (RINGOUT-30). */
function interruptEffect(
  { callStatus, callerStatus, calleeStatus }: RingOutState,
  goal: RingOutGoal,
): string {
  if (isOver({ status: { callStatus, callerStatus, calleeStatus } }, goal)) return '';
  return calleeStatus === 'InProgress'
    ? ' · Ctrl-C cancels the call'
    : ' · Ctrl-C stops watching; the call continues';
}
