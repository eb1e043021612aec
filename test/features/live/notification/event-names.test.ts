import { describe, expect, it } from 'vitest';
import { eventSubject, splitEvents, toFilters } from '../../../../src/features/live/notification/index.ts';

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
  ])('%s is converted to %s and back', (name, filter) => {
    expect(toFilters([name], own)).toEqual({ filters: [filter], problems: [] });
    expect(eventSubject(filter).name).toBe(name);
  });

  it('give one filter per extension, without duplicates', () => {
    expect(toFilters(['messages,extensions', 'Messages'], { extensions: [1, 2] }).filters).toEqual([
      `${account}/extension/1/message-store`,
      `${account}/extension/2/message-store`,
      `${account}/extension`,
    ]);
  });

  it('can be mixed with raw paths, which keep their commas', () => {
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
    ['mesages', /"mesages" is not a valid event; use messages, presence/],
    ['reminder', /use reminder:THRESHOLD,INTERVAL/],
    ['reminder:100,60', /interval of a reminder \(60 s\) must not exceed half of its threshold \(100 s\)/],
    [
      'reminder:4000,60',
      /threshold of a reminder \(4000 s\) must not exceed half of the subscription lifetime \(7200 s\)/,
    ],
    ['reminder:0,0', /at least 1 second/],
  ])('%s is rejected', (word, problem) => {
    const { filters, problems } = toFilters([word], { ...own, lifetimeSeconds: 7200 });
    expect(filters).toEqual([]);
    expect(problems.join()).toMatch(problem);
  });
});

describe('the subject of an event', () => {
  it('finds the extension in the path', () => {
    expect(eventSubject('/restapi/v1.0/account/1/extension/7/presence/line')).toEqual({
      name: 'lines',
      extensionId: '7',
    });
  });
});
