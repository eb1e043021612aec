import { expect, it } from 'vitest';
import { liveUpdates, liveView } from '../../../src/commands/ringout/live-view.ts';
import type { RingOutState } from '../../../src/features/ringout/index.ts';

function state(callStatus: string, callerStatus: string, calleeStatus: string): RingOutState {
  const explanation = `${callerStatus} and ${calleeStatus}`;
  return {
    id: 7,
    callStatus,
    callerStatus,
    calleeStatus,
    explanation,
    time: '2026-01-05T09:00:00.000Z',
    uri: '',
  };
}

async function* all(states: readonly RingOutState[]): AsyncGenerator<RingOutState> {
  yield* states;
}

it('shows what quitting does, except after the end of the call', async () => {
  const call = [
    state('InProgress', 'Success', 'InProgress'),
    state('Success', 'Success', 'Success'),
    state('Success', 'Finished', 'Finished'),
  ];
  const titles: string[] = [];
  for await (const { title, footer } of liveUpdates(all(call), 'finished'))
    titles.push(`${title} | ${footer}`);
  expect(titles).toEqual([
    'Call 7 · Quitting cancels the call | Success and InProgress',
    'Call 7 · Quitting does not end the call | Success and Success',
    'Call 7 | Finished and Finished',
  ]);
});

it('shows the explanation in the footer on a terminal, and as a column elsewhere', () => {
  const keys = (isTerminal: boolean) =>
    liveView({ isTerminal, format: 'table' }).columns.map(({ key }) => key);
  expect(keys(true)).toEqual(['id', 'callStatus', 'callerStatus', 'calleeStatus']);
  expect(keys(false)).toContain('explanation');
});
