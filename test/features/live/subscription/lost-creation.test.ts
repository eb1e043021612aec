import { expect, describe, it } from 'vitest';
import type { Client } from '../../../../src/client/index.ts';
import type { Subscription, SubscriptionRequest } from '../../../../src/contract/subscription.ts';
import {
  findLost,
  type OtherSubscriptions,
} from '../../../../src/features/live/subscription/lost-creation.ts';

const filter = '/restapi/v1.0/account/~/extension/101/message-store';
const ownFilter = '/restapi/v1.0/account/~/extension/~/message-store';

const request: SubscriptionRequest = {
  eventFilters: [filter],
  deliveryMode: { transportType: 'ChannelService', encryption: true },
  expiresIn: 3600,
};

/** A subscription as requested, with some differences. */
const created = (
  id: string,
  {
    mode = {},
    filters = [filter],
    seconds = 3600,
  }: { mode?: object; filters?: string[]; seconds?: number } = {},
): Subscription =>
  ({
    id,
    eventFilters: filters,
    deliveryMode: { transportType: 'ChannelService', encryption: true, ...mode },
    creationTime: '2026-01-05T09:00:00Z',
    expirationTime: new Date(Date.UTC(2026, 0, 5, 9) + seconds * 1000).toISOString(),
  }) as unknown as Subscription;

/** Returns the ID of the subscription that the search finds among those of the service. */
async function found(
  all: readonly Subscription[] | Error,
  more: Partial<SubscriptionRequest> = {},
  others: Partial<OtherSubscriptions> | null = {},
): Promise<string | undefined> {
  let signal: AbortSignal | undefined;
  const list = (options: { readonly signal: AbortSignal }) => {
    signal = options.signal;
    return all instanceof Error ? Promise.reject(all) : Promise.resolve(all);
  };
  const one = await findLost(
    { subscriptions: { list } } as unknown as Pick<Client, 'subscriptions'>,
    { ...request, ...more },
    others === null
      ? undefined
      : {
          existing: [],
          isRecorded: () => Promise.resolve(false),
          ownExtension: () => Promise.reject(new Error('not needed')),
          ...others,
        },
  );
  // The search must end, also after Ctrl-C.
  expect(signal).toBeInstanceOf(AbortSignal);
  return one?.id;
}

describe('the search for a created subscription', () => {
  it.each([
    ['as requested', created('new'), {}],
    ['with the other name of its transport', created('new', { mode: { transportType: 'PubNub' } }), {}],
    ['whose encryption is not reported', created('new', { mode: { encryption: undefined } }), {}],
    [
      'that is encrypted without a request',
      created('new'),
      { deliveryMode: { transportType: 'ChannelService' } },
    ],
    ['with another lifetime than the default', created('new', { seconds: 60 }), { expiresIn: undefined }],
    ['that expires some seconds later', created('new', { seconds: 3605 }), {}],
    ['that expires some seconds earlier', created('new', { seconds: 3595 }), {}],
  ] as const)('finds a subscription %s', async (_, one, more) => {
    expect(await found([one], more as Partial<SubscriptionRequest>)).toBe('new');
  });

  it.each([
    ['of another transport', created('new', { mode: { transportType: 'WebHook' } }), {}],
    [
      'with another address',
      created('new', { mode: { transportType: 'WebHook', address: 'https://b.example' } }),
      { deliveryMode: { transportType: 'WebHook', address: 'https://a.example' } },
    ],
    ['without the requested encryption', created('new', { mode: { encryption: false } }), {}],
    ['of a longer lifetime', created('new', { seconds: 3606 }), {}],
    ['of a shorter lifetime', created('new', { seconds: 3594 }), {}],
    ['of other events', created('new', { filters: ['/restapi/v1.0/account/~/presence'] }), {}],
  ] as const)('does not find a subscription %s', async (_, one, more) => {
    expect(await found([one], more as Partial<SubscriptionRequest>)).toBeUndefined();
  });

  it('does not find subscriptions that existed before, or that another run has recorded', async () => {
    const all = [created('before'), created('recorded'), created('new')];
    const isRecorded = ({ id }: Subscription) => Promise.resolve(id === 'recorded');
    const others = { existing: all.slice(0, 1), isRecorded };
    expect(await found(all, {}, others)).toBe('new');
    expect(await found(all.slice(0, 2), {}, others)).toBeUndefined();
  });

  it('finds none if two can be the created subscription', async () => {
    expect(await found([created('one'), created('two')])).toBeUndefined();
  });

  it('reads `~` as the own extension, because the service may report its ID', async () => {
    const others = { ownExtension: () => Promise.resolve('101') };
    const more = { eventFilters: [ownFilter] };
    const other = created('other', { filters: [ownFilter.replace('extension/~', 'extension/102')] });
    expect(await found([other, created('own')], more, others)).toBe('own');
    expect(await found([other], more, others)).toBeUndefined();
    expect(await found([created('own')], more)).toBeUndefined();
  });

  it('finds none if the search fails', async () => {
    expect(await found(new Error('no reply'))).toBeUndefined();
  });
});

describe('the search for a subscription whose address only one run uses', () => {
  const own = (id: string, address = 'https://own.example') =>
    created(id, { mode: { transportType: 'WebHook', address } });
  const more = { deliveryMode: { transportType: 'WebHook', address: 'https://own.example' } } as const;

  it('finds the only subscription with the address', async () => {
    expect(await found([own('other', 'https://other.example'), own('own')], more, null)).toBe('own');
    expect(await found([own('other', 'https://other.example')], more, null)).toBeUndefined();
    expect(await found([own('one'), own('two')], more, null)).toBeUndefined();
  });
});
