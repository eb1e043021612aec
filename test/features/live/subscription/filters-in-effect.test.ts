import { describe, expect, it } from 'vitest';
import type { Subscription } from '../../../../src/contract/subscription.ts';
import {
  filterWarnings,
  haveSameFilters,
} from '../../../../src/features/live/subscription/filters-in-effect.ts';

describe('filters in effect', () => {
  const requested = [
    '/restapi/v1.0/account/~/extension/~/presence?detailedTelephonyState=true&sipData=true',
    '/restapi/v1.0/account/~/extension/201/message-store',
    '/restapi/v1.0/account/~/presence',
  ];
  const effective = [
    '/restapi/v1.0/account/9/extension/201/message-store',
    '/restapi/v1.0/account/9/extension/100/presence?sipData=true&detailedTelephonyState=true',
    '/restapi/v1.0/account/9/presence',
  ];

  it('are equal with IDs in place of ~ and parameters in another order', () => {
    expect(filterWarnings(requested, subscription(effective))).toEqual([]);
    expect(haveSameFilters(requested, subscription(effective))).toBe(true);
  });

  it.each([
    ['another ID', '/restapi/v1.0/account/9/extension/202/message-store'],
    ['another parameter', '/restapi/v1.0/account/9/extension/201/message-store?type=Fax'],
    ['a longer path', '/restapi/v1.0/account/9/extension/201/message-store/instant'],
    ['~ in place of a requested ID', '/restapi/v1.0/account/9/extension/~/message-store'],
  ])('differ with %s', (_name, filter) => {
    const changed = subscription([filter, ...effective.slice(1)]);
    expect(filterWarnings(requested, changed)).toEqual([
      `the service does not deliver ${requested[1]}, although ucctl requested these events`,
      `the service delivers ${filter}, although ucctl did not request these events`,
    ]);
    expect(haveSameFilters(requested, changed)).toBe(false);
  });

  it('are compared without a long pause for 8,000 filters', () => {
    const ids = Array.from({ length: 8000 }, (_, index) => index);
    const wanted = ids.map((id) => `/restapi/v1.0/account/~/extension/${id}/presence?sipData=true`);
    const reported = ids.map((id) => `/restapi/v1.0/account/9/extension/${id}/presence?sipData=true`);
    expect(filterWarnings(wanted, subscription(reported.toReversed()))).toEqual([]);
    expect(haveSameFilters(wanted, subscription(reported.slice(1)))).toBe(false);
  });
});

function subscription(eventFilters: readonly string[]): Subscription {
  return {
    uri: 'https://service.example/subscription/1',
    id: '1',
    creationTime: '2026-01-05T09:00:00Z',
    expirationTime: '2026-01-05T09:15:00Z',
    expiresIn: 900,
    status: 'Active',
    eventFilters: [...eventFilters],
    deliveryMode: { transportType: 'WebHook', address: 'https://receiver.example' },
  };
}
