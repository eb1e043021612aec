import { expect, it } from 'vitest';
import { WaitingLane } from '../../../../src/features/live/deliver/waiting-lane.ts';
import { laneBatch, type PendingDelivery } from '../../../../src/features/live/store/deliveries.ts';

function deliveryOf(id: number, receiver = 'listen'): PendingDelivery {
  return { id, receiver } as PendingDelivery;
}

/** A lane to which the deliveries 1 to `count` were added. */
function laneWith(count: number): WaitingLane {
  const lane = new WaitingLane();
  for (let id = 1; id <= count; id += 1) lane.add(deliveryOf(id));
  return lane;
}

it('adds no delivery before earlier ones that are only in the store', () => {
  const lane = laneWith(laneBatch + 2);
  lane.deliveries.shift();
  lane.add(deliveryOf(laneBatch + 3));
  expect([lane.deliveries.length, lane.deliveries.at(-1)?.id]).toEqual([laneBatch - 1, laneBatch]);
  expect(lane.size).toBe(laneBatch + 2);
});

it('reads only own deliveries after the last one in memory, until none is left', () => {
  const lane = laneWith(laneBatch + 3);
  lane.deliveries.length = 0;
  const stored = [51, 52, 53, 54, 55].map((id) => deliveryOf(id, id < 53 ? 'other' : 'listen'));
  const positions: number[] = [];
  const read = (): void =>
    lane.readMore(
      (after) => {
        positions.push(after);
        return stored.filter(({ id }) => id > after).slice(0, 2);
      },
      ({ receiver }) => receiver === 'listen',
    );
  read();
  expect(lane.deliveries.map(({ id }) => id)).toEqual([53, 54]);
  expect([positions, lane.size]).toEqual([[50, 52], 3]);
  lane.deliveries.length = 0;
  read();
  expect([lane.deliveries.map(({ id }) => id), lane.size]).toEqual([[55], 1]);
  lane.deliveries.length = 0;
  read();
  expect([positions, lane.size]).toEqual([[50, 52, 54], 0]);
});

it('has no deliveries left if the store has fewer than were added', () => {
  const lane = laneWith(laneBatch + 3);
  lane.deliveries.length = 0;
  lane.readMore(
    () => [],
    () => true,
  );
  expect(lane.size).toBe(0);
});
