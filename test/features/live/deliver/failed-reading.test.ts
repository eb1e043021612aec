import { expect, it } from 'vitest';
import { pendingDeliveries } from '../../../../src/features/live/deliver/pending-deliveries.ts';
import type { PendingDelivery } from '../../../../src/features/live/store/deliveries.ts';
import type { Inbox } from '../../../../src/features/live/store/inbox.ts';

it('a failed reading of pending deliveries releases the names of other receivers', async () => {
  const locked = new Set<string>();
  const first = { id: 1, eventId: 1, receiver: 'listen-2' } as PendingDelivery;
  const inbox = {
    deliveries: {
      pending(_target: string, id: number) {
        if (id > 0) throw new Error('disk I/O error');
        return [first];
      },
    },
    attempts: { endAll: () => undefined },
    lockReceiver(name: string) {
      locked.add(name);
      return { release: () => void locked.delete(name) };
    },
  } as unknown as Inbox;
  const reading = pendingDeliveries(inbox, 'listen', ['https://x.example'], () => undefined);
  await expect(reading).rejects.toThrow('disk I/O error');
  expect([...locked]).toEqual([]);
});
