import { isOver, ringOutView, type RingOutGoal, type RingOutState } from '../../features/ringout/index.ts';
import type { BoardFrame, Output, View } from '../../runtime/output.ts';

/** In a picture the explanation is the line below the row. */
export function liveView({ isTerminal, format }: Pick<Output, 'isTerminal' | 'format'>): View<RingOutState> {
  if (!isTerminal || format !== 'table') return ringOutView;
  return { ...ringOutView, columns: ringOutView.columns.filter(({ key }) => key !== 'explanation') };
}

/** A call as it changes, with what Ctrl-C would do at that moment. */
export async function* liveFrames(
  states: AsyncIterable<RingOutState>,
  goal: RingOutGoal,
): AsyncGenerator<BoardFrame<RingOutState>, void, undefined> {
  for await (const state of states) {
    yield {
      title: `Call ${state.id}${wayOut(state, goal)}`,
      rows: [state],
      footer: state.explanation,
      changed: [state],
    };
  }
}

/** A call can be cancelled while the callee rings (RINGOUT-30). */
function wayOut({ callStatus, callerStatus, calleeStatus }: RingOutState, goal: RingOutGoal): string {
  if (isOver({ status: { callStatus, callerStatus, calleeStatus } }, goal)) return '';
  return calleeStatus === 'InProgress'
    ? ' · Ctrl-C cancels it'
    : ' · Ctrl-C stops watching, the call goes on';
}
