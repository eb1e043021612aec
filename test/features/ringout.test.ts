import { describe, expect, it } from 'vitest';
import { followRingOut, hasFailed, isOver, wasConnected } from '../../src/features/ringout/follow.ts';
import { readCancelled } from '../../src/features/ringout/read-call.ts';
import type { RingOut } from '../../src/contract/ringout.ts';
import { ApiError } from '../../src/errors/service.ts';

const callOf = (callStatus: string, callerStatus: string, calleeStatus: string): RingOut => ({
  id: '7',
  uri: '',
  status: { callStatus, callerStatus, calleeStatus },
});

/** Answers each read with the next call, or with an error that is in its place. */
function replies(...all: readonly (RingOut | Error)[]) {
  const left = [...all];
  const waits: number[] = [];
  const get = (): Promise<RingOut> => {
    const next = left.shift();
    if (next === undefined) return Promise.reject(new Error('no more replies'));
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  };
  return {
    api: { ringOuts: { get } as never },
    left,
    waits,
    sleep: (milliseconds: number) => Promise.resolve(void waits.push(milliseconds)),
  };
}

const missing = () =>
  new ApiError({
    status: 404,
    errorCode: 'CMN-102',
    message: 'not found',
    request: { method: 'GET', path: '/x' },
  });

describe('spec:CLIENT-19 the wait for a call', () => {
  it.each([
    { call: callOf('InProgress', 'InProgress', 'InProgress'), ends: [], result: 'neither' },
    // The service has not yet reported the connection of two phones that were answered.
    { call: callOf('InProgress', 'Success', 'Success'), ends: [], result: 'neither' },
    { call: callOf('Success', 'Success', 'Success'), ends: ['connected'], result: 'connected' },
    { call: callOf('Success', 'Finished', 'Success'), ends: ['connected'], result: 'connected' },
    {
      call: callOf('Success', 'Finished', 'Finished'),
      ends: ['connected', 'finished'],
      result: 'connected',
    },
    { call: callOf('CannotReach', 'Success', 'Busy'), ends: ['connected'], result: 'failed' },
    {
      call: callOf('CannotReach', 'Rejected', 'NoAnswer'),
      ends: ['connected', 'finished'],
      result: 'failed',
    },
    { call: callOf('Invalid', 'Invalid', 'Unknown'), ends: ['connected', 'finished'], result: 'failed' },
    { call: callOf('Strange', 'Success', 'Success'), ends: ['connected'], result: 'connected' },
    { call: callOf('Strange', 'Success', 'InProgress'), ends: [], result: 'neither' },
    { call: callOf('Strange', 'Finished', 'Rejected'), ends: ['connected', 'finished'], result: 'neither' },
    {
      call: callOf('InProgress', 'NoSessionFound', 'NoSessionFound'),
      ends: ['connected', 'finished'],
      result: 'failed',
    },
  ])('$call.status', ({ call, ends, result }) => {
    expect((['connected', 'finished'] as const).filter((goal) => isOver(call, goal))).toEqual(ends);
    expect([wasConnected(call), hasFailed(call)]).toEqual([result === 'connected', result === 'failed']);
  });

  it('shows each status once, and ends when the service deletes the call', async () => {
    const rings = callOf('InProgress', 'InProgress', 'InProgress');
    const answered = callOf('InProgress', 'Success', 'InProgress');
    const { api, sleep, waits } = replies(rings, answered, answered, missing());
    const seen: string[] = [];
    const parts = { api, sleep, goal: 'connected', intervalMilliseconds: 2000 } as const;
    const { signal } = new AbortController();
    for await (const { status } of followRingOut(rings, { ...parts, signal })) seen.push(status.callerStatus);
    expect(seen).toEqual(['InProgress', 'Success', 'NoSessionFound']);
    expect(waits).toEqual([2000, 2000, 2000, 2000]);
  });
});

describe('a call that was canceled', () => {
  it.each([
    ['rings', callOf('InProgress', 'Success', 'InProgress')],
    ['is connected', callOf('Success', 'Finished', 'Finished')],
    ['was answered', callOf('CannotReach', 'Success', 'Success')],
  ])('is read up to three times while it %s', async (_name, call) => {
    const { api, left, sleep } = replies(call, call, call, call);
    expect(await readCancelled(api, call, { sleep })).toBe(call);
    expect(left).toHaveLength(1);
  });

  it('is read once if it has ended, and an error of a read is reported', async () => {
    const ended = callOf('CannotReach', 'Rejected', 'Rejected');
    const { api, left, sleep } = replies(ended, new Error('cannot read'));
    expect(await readCancelled(api, ended, { sleep })).toBe(ended);
    expect(left).toHaveLength(1);
    await expect(readCancelled(api, ended, { sleep })).rejects.toThrow('cannot read');
  });
});
