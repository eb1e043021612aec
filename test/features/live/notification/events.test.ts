import { describe, expect, it } from 'vitest';
import {
  describeBody,
  eventSubject,
  splitEvents,
  toFilters,
} from '../../../../src/features/live/notification/index.ts';

const account = '/restapi/v1.0/account/~';
const own = { extensions: ['~'] };

describe('short names', () => {
  it.each([
    ['messages', `${account}/extension/~/message-store`],
    ['presence', `${account}/extension/~/presence`],
    ['presence:detailed', `${account}/extension/~/presence?detailedTelephonyState=true`],
    ['presence:sip', `${account}/extension/~/presence?detailedTelephonyState=true&sipData=true`],
    ['lines', `${account}/extension/~/presence/line`],
    ['extensions', `${account}/extension`],
    ['reminder:120,60', '/restapi/v1.0/subscription/~?threshold=120&interval=60'],
  ])('%s stands for %s, and back', (name, filter) => {
    expect(toFilters([name], own)).toEqual({ filters: [filter], problems: [] });
    expect(eventSubject(filter).name).toBe(name);
  });

  it('hold for each extension, and each filter comes once', () => {
    expect(toFilters(['messages,extensions', 'Messages'], { extensions: [1, 2] }).filters).toEqual([
      `${account}/extension/1/message-store`,
      `${account}/extension/2/message-store`,
      `${account}/extension`,
    ]);
  });

  it('stand beside raw paths, whose commas stay', () => {
    const raw = '/restapi/v1.0/account/~/extension/~/fax?direction=Inbound,Outbound';
    expect(splitEvents([`messages,${raw},reminder:120,60,lines`])).toEqual([
      'messages',
      raw,
      'reminder:120,60',
      'lines',
    ]);
    expect(toFilters([raw], own).filters).toEqual([raw]);
    expect(eventSubject(raw)).toEqual({ name: raw });
  });

  it.each([
    ['mesages', /"mesages" is no event; known: messages, presence/],
    ['reminder', /write reminder:THRESHOLD,INTERVAL/],
    ['reminder:100,60', /interval 60 s is more than half of its threshold 100 s/],
    ['reminder:4000,60', /threshold 4000 s is more than half of the subscription's 7200 s/],
    ['reminder:0,0', /at least 1 second/],
  ])('%s is refused', (word, problem) => {
    const { filters, problems } = toFilters([word], { ...own, lifetimeSeconds: 7200 });
    expect(filters).toEqual([]);
    expect(problems.join()).toMatch(problem);
  });
});

describe('what happened', () => {
  it.each([
    ['/extension/7/message-store', { changes: [{ type: 'SMS', newCount: 1, updatedCount: 0 }] }, '1 new SMS'],
    [
      '/extension/7/message-store',
      {
        changes: [
          { type: 'SMS', newCount: 2, updatedCount: 1 },
          { type: 'Fax', updatedCount: 3 },
        ],
      },
      '2 new 1 changed SMS, 3 changed Fax',
    ],
    [
      '/extension/7/presence?detailedTelephonyState=true',
      { presenceStatus: 'Busy', telephonyStatus: 'Ringing', dndStatus: 'TakeAllCalls' },
      'Busy Ringing TakeAllCalls',
    ],
    ['/extension', { extensions: [{ extensionId: 7, eventType: 'Update' }] }, 'Update 7'],
    ['/extension/7/message-store', undefined, ''],
    ['/extension/7/message-store', { changes: 'odd' }, ''],
    ['/something/new', { x: 1 }, ''],
  ])('%s %j reads %j', (tail, body, text) => {
    expect(describeBody({ event: `/restapi/v1.0/account/1${tail}`, body })).toBe(text);
  });

  it('knows the extension', () => {
    expect(eventSubject('/restapi/v1.0/account/1/extension/7/presence/line')).toEqual({
      name: 'lines',
      extensionId: '7',
    });
  });
});
