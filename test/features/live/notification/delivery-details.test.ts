import { expect, it } from 'vitest';
import { DeliveryDetails } from '../../../../src/features/live/describe/delivery-details.ts';
import { EventNames } from '../../../../src/features/live/describe/event-names.ts';

const presence = (telephonyStatus: string) => ({
  uuid: telephonyStatus,
  event: '/restapi/v1.0/account/1/extension/2/presence',
  timestamp: '2026-01-05T09:00:00Z',
  body: { extensionId: '2', telephonyStatus },
});

it('describes a retried event as before, and compares each event with the event before it', async () => {
  const details = new DeliveryDetails(new EventNames(), undefined);
  const ringing = await details.of(1, presence('Ringing'));
  const ended = await details.of(2, presence('NoCall'));
  expect(ended).not.toBe(ringing);
  expect(await details.of(2, presence('NoCall'))).toBe(ended);
  expect(await new DeliveryDetails(new EventNames(), undefined).of(2, presence('NoCall'))).not.toBe(ended);
});
