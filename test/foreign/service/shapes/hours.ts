import { address, flag, id, integer, list, moment, record, text, words } from '../shape.ts';

const ranges = list(record({ from: text, to: text }));
const weeklyRanges = record({
  monday: ranges,
  tuesday: ranges,
  wednesday: ranges,
  thursday: ranges,
  friday: ranges,
  saturday: ranges,
  sunday: ranges,
});

/** Business hours, which have no id. Their address is that of the request. */
export const businessHours = record({
  uri: words('https://foreign.example/restapi/v1.0/account/1/business-hours'),
  schedule: record({ weeklyRanges }),
});

/** Answering rule: `id` identifies it. */
export const answeringRule = record(
  {
    uri: address,
    id: text,
    type: words('BusinessHours', 'AfterHours', 'Custom'),
    name: text,
    enabled: flag,
    callers: list(record({ callerId: text, name: text })),
    calledNumbers: list(record({ phoneNumber: text })),
    schedule: record({
      weeklyRanges,
      ranges: list(record({ from: moment, to: moment })),
      ref: words('BusinessHours', 'AfterHours'),
    }),
    callHandlingAction: words(
      'ForwardCalls',
      'TakeMessagesOnly',
      'PlayAnnouncementOnly',
      'TransferToExtension',
    ),
    forwarding: record({
      ringingMode: words('Sequentially', 'Simultaneously'),
      softPhonesRingCount: integer,
    }),
    voicemail: record({ enabled: flag, recipient: record({ uri: address, id }) }),
    screening: words('Off', 'NoCallerId', 'UnknownCallerId', 'Always'),
  },
  'id',
);
