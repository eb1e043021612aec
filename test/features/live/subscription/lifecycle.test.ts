import { describe, expect, it, onTestFinished } from 'vitest';
import { ApiError, type Client } from '../../../../src/client/index.ts';
import type { Subscription } from '../../../../src/contract/subscription.ts';
import type { Context } from '../../../../src/runtime/context.ts';
import { hintText, ucctl, type Hint } from '../../../../src/errors/hint.ts';
import { OutcomeUnknownError, SignInRequiredError } from '../../../../src/errors/service.ts';
import { SubscriptionLifecycle } from '../../../../src/features/live/subscription/lifecycle.ts';
import type { LifecycleSettings } from '../../../../src/features/live/subscription/session-subscription.ts';

/** A service with one subscription at a time, whose creations and changes a test can hold. */
class Service {
  readonly subscriptions = new Map<string, Subscription>();
  #created = 0;
  /** Called before the reply to a request. */
  before: (what: 'create' | 'update') => Promise<void> = () => Promise.resolve();
  /** IDs of the subscriptions that were to be deleted. */
  readonly deleted: string[] = [];
  /** Rejects every read, if set. */
  readError: Error | undefined;

  readonly api = {
    list: () => Promise.resolve([...this.subscriptions.values()]),
    create: async ({ eventFilters }: { readonly eventFilters: readonly string[] }) => {
      const id = `sub-${(this.#created += 1)}`;
      const subscription = {
        id,
        uri: `https://service.example/${id}`,
        eventFilters: [...eventFilters],
        deliveryMode: { transportType: 'ChannelService', address: `channel-${id}` },
        expirationTime: '2026-01-05T10:00:00Z',
        creationTime: '2026-01-05T09:00:00Z',
        status: 'Active',
      } as Subscription;
      this.subscriptions.set(id, subscription);
      await this.before('create');
      return subscription;
    },
    update: async (id: string, { eventFilters }: { readonly eventFilters: readonly string[] }) => {
      await this.before('update');
      const changed = { ...this.#known(id), eventFilters: [...eventFilters] };
      this.subscriptions.set(id, changed);
      return changed;
    },
    get: (id: string) =>
      this.readError ? Promise.reject(this.readError) : Promise.resolve().then(() => this.#known(id)),
    renew: (id: string) => Promise.resolve().then(() => this.#known(id)),
    delete: (id: string) => {
      this.deleted.push(id);
      this.subscriptions.delete(id);
      return Promise.resolve();
    },
  };

  #known(id: string): Subscription {
    const found = this.subscriptions.get(id);
    if (!found)
      throw new ApiError({
        status: 404,
        errorCode: 'CMN-102',
        message: 'not found',
        request: { method: 'GET', path: `/subscription/${id}` },
      });
    return found;
  }
}

/** A subscription that was lost and is recreated; `held` waits in the reply to the creation until `release`. */
async function recreated(service: Service) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const channels: (string | undefined)[] = [];
  const warnings: string[] = [];
  let now = Date.parse('2026-01-05T09:00:00Z');
  let wake: () => void = () => undefined;
  const ctx = {
    signal: stop.signal,
    now: () => now,
    auth: () => Promise.resolve({ secrets: { read: () => Promise.resolve(undefined) } }),
    out: { warn: (text: Hint) => warnings.push(hintText(text)), note: () => undefined },
    // Each wait ends when the test says so, or with the session.
    sleep: (milliseconds: number, stopped: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        stopped.addEventListener('abort', () => reject(new Error('over')));
        wake = () => {
          now += milliseconds;
          resolve();
        };
      }),
  } as unknown as Context;
  const lifecycle = new SubscriptionLifecycle({
    ctx,
    api: { subscriptions: service.api } as unknown as Client,
    recorded: {
      id: undefined,
      set: () => undefined,
      forget: () => undefined,
      forgetIfShared: () => false,
      isOfOther: () => false,
    } as unknown as LifecycleSettings['recorded'],
    abandoned: () => [],
    request: { eventFilters: ['first'], deliveryMode: { transportType: 'ChannelService' } },
    onUpdate: (subscription) => {
      channels.push(subscription.deliveryMode.address);
      return Promise.resolve();
    },
    onGap: () => undefined,
    onFailure: () => undefined,
  });
  await lifecycle.begin();
  lifecycle.startRenewal();
  const tick = async (): Promise<void> => {
    wake();
    await new Promise(setImmediate);
  };
  return { lifecycle, channels, warnings, tick };
}

function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('a change of the filters', () => {
  it('reaches a subscription whose creation began with the earlier filters', async () => {
    const service = new Service();
    const { lifecycle, channels, warnings, tick } = await recreated(service);
    const { opened, open } = gate();
    const creations: string[] = [];
    service.before = async (what) => {
      if (what !== 'create') return;
      creations.push(what);
      await opened;
    };
    service.subscriptions.delete('sub-1');
    for (let step = 0; step < 5 && creations.length === 0; step += 1) await tick();
    expect(creations).toHaveLength(1);
    const changing = lifecycle.changeFilters(['second']);
    open();
    await changing;
    expect([...service.subscriptions.values()].map(({ id, eventFilters }) => [id, eventFilters])).toEqual([
      ['sub-2', ['second']],
    ]);
    expect(channels.at(-1)).toBe('channel-sub-2');
    expect(warnings).toEqual([]);
  });

  it('does not return to the channel of a subscription that was replaced during the change', async () => {
    const service = new Service();
    const { lifecycle, channels, tick } = await recreated(service);
    const { opened, open } = gate();
    service.before = (what) => (what === 'update' ? opened : Promise.resolve());
    const changing = lifecycle.changeFilters(['second']);
    service.subscriptions.delete('sub-1');
    for (let step = 0; step < 5 && service.subscriptions.size === 0; step += 1) await tick();
    expect(service.subscriptions.get('sub-2')?.eventFilters).toEqual(['second']);
    open();
    await changing;
    expect(channels.at(-1)).toBe('channel-sub-2');
  });

  it('reports a rejection by the service', async () => {
    const service = new Service();
    const { lifecycle } = await recreated(service);
    service.subscriptions.delete('sub-1');
    await expect(lifecycle.changeFilters(['second'])).rejects.toMatchObject({ status: 404 });
  });
});

describe('a subscription that another program may have created', () => {
  /** The reply to the creation of `sub-1` is lost, and the run finds this subscription. */
  async function adopted() {
    const service = new Service();
    let isLost = false;
    service.before = (what) => {
      if (what !== 'create' || isLost) return Promise.resolve();
      isLost = true;
      return Promise.reject(
        new OutcomeUnknownError({ method: 'POST', path: '/subscription' }, new Error('reset')),
      );
    };
    const run = await recreated(service);
    expect(run.warnings).toEqual([
      expect.stringContaining('uses subscription sub-1, which another program may'),
    ]);
    return { service, ...run };
  }

  it.each(['Suspended', 'Blacklisted'] as const)(
    'is replaced, but not deleted, when it is %s',
    async (status) => {
      const { service, lifecycle, tick } = await adopted();
      const { 'sub-1': first } = Object.fromEntries(service.subscriptions);
      if (first) service.subscriptions.set('sub-1', { ...first, status });
      for (let step = 0; step < 5 && service.subscriptions.size === 1; step += 1) await tick();
      expect([...service.subscriptions.keys()]).toEqual(['sub-1', 'sub-2']);
      await lifecycle.delete();
      expect(service.deleted).toEqual(['sub-2']);
    },
  );

  it('keeps its filters: a change creates a subscription of this run, which is then checked', async () => {
    const { service, lifecycle, channels, warnings, tick } = await adopted();
    await lifecycle.changeFilters(['second']);
    for (let step = 0; step < 5; step += 1) await tick();
    expect([...service.subscriptions.values()].map(({ id, eventFilters }) => [id, eventFilters])).toEqual([
      ['sub-1', ['first']],
      ['sub-2', ['second']],
    ]);
    expect(warnings.at(-1)).toContain('subscription sub-1 was not deleted');
    expect(new Set(channels.slice(1))).toEqual(new Set(['channel-sub-2']));
    service.subscriptions.delete('sub-2');
    for (let step = 0; step < 5 && service.subscriptions.size === 1; step += 1) await tick();
    expect([...service.subscriptions.keys()]).toEqual(['sub-1', 'sub-3']);
    expect(service.deleted).toEqual([]);
  });
});

describe('a check that fails', () => {
  const warningsAfter = async (error: Error): Promise<readonly string[]> => {
    const service = new Service();
    const { warnings, tick } = await recreated(service);
    service.readError = error;
    for (let step = 0; step < 8; step += 1) await tick();
    return warnings;
  };

  it('names the command that signs in again if the session has ended', async () => {
    const ended = new SignInRequiredError(
      'expired',
      'the session has ended',
      undefined,
      ucctl('login --flow jwt'),
    );
    expect(await warningsAfter(ended)).toEqual([
      'could not check or renew the subscription: the session has ended; sign in again in another terminal: ucctl login --flow jwt; ucctl then continues',
    ]);
  });

  it('is retried after any other error', async () => {
    expect(await warningsAfter(new Error('no reply'))).toEqual([
      'could not check or renew the subscription: no reply; retrying',
    ]);
  });
});
