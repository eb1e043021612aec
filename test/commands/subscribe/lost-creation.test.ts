import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ConnectionError, type HttpSend } from '../../../src/client/index.ts';
import type { DialectName } from '../../../src/contract/dialects.ts';
import { Interrupted } from '../../../src/errors/interrupted.ts';
import { unlessAborted } from '../../../src/platform/aborted.ts';
import { eventually } from '../../support/eventually.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { signInAs } from '../../support/sandbox.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { startWebhook } from '../../sandbox/webhook.ts';
import { openOffice, type Office } from '../office.ts';
import { live } from '../webhook/listening.ts';

/**
 * An office whose network holds the first creation until the test loses it, and forwards all later requests.
 * @param isCreated whether the first creation reaches the service
 */
async function losingOffice(
  path: string,
  isCreated = false,
  dialect: DialectName = 'spec',
): Promise<Office & { readonly lose: () => void; isRequested: () => void }> {
  let lose: () => void = () => undefined;
  const lost = new Promise<void>((resolve) => {
    lose = resolve;
  });
  let creations = 0;
  const holdsFirst =
    (send: HttpSend): HttpSend =>
    async (request) => {
      if (request.method !== 'POST' || !request.url.pathname.endsWith(path) || creations > 0)
        return send(request);
      creations += 1;
      if (isCreated) await send(request);
      await lost;
      throw new ConnectionError('ECONNRESET', 'unknown', request.url.origin, undefined);
    };
  const office = await openOffice('administrator', holdsFirst, undefined, { dialect });
  return { ...office, lose, isRequested: () => expect(creations).toBe(1) };
}

const listenAt = (address: string): string =>
  `webhook listen --events messages --path /hook --public-url ${new URL(address).origin}`;

/** Expects that the service still has the subscription, and that the run explained why. */
function expectLeft({ sandbox }: Office, id: string | null, stderr: string): void {
  expect(sandbox.subscriptions()).toMatchObject([{ id }]);
  expect(stderr).toMatch(
    new RegExp(
      `subscription ${id} was not deleted, because .*another program may have created the subscription; it expires at 2026-.*ucctl subscribe delete ${id}`,
    ),
  );
}

describe('a creation that did not reach the service', () => {
  it.each([
    ['--events messages --extension 104', '--events messages --extension 105', false],
    ['--events messages', '--events messages --extension 105', false],
    ['--events messages,presence', '--events messages', false],
    ['--events messages --encrypt', '--events messages', false],
    // The run with the same events has recorded its subscription.
    ['--events messages', '--events messages', true],
  ])('of `tail %s` leaves the subscription of `tail %s` of another run', async (own, other, isShared) => {
    const office = await losingOffice('/subscription');
    const paths = temporaryPaths();
    const stop = new AbortController();
    const result = office.run(`subscribe tail ${own}`, {
      paths,
      signal: stop.signal,
      // A run that has adopted a subscription would not end.
      onStderr: (text) => {
        if (text.includes('Ready')) stop.abort(new Error('adopted'));
      },
    });
    await eventually(office.isRequested);
    const second = await live(office, `subscribe tail ${other}`, isShared ? { paths } : {});
    office.lose();
    const { exit, stderr } = await result;
    expect([exit, stderr]).toEqual([
      14,
      expect.stringMatching(/may have created the subscription.*\n.*ucctl subscribe list/s),
    ]);
    expect(office.sandbox.subscriptions()).toMatchObject([{ id: second.ready.subscriptionId }]);
  });

  it.each([
    ['--events messages --extension 104', '--events messages --extension 105'],
    ['--events messages', '--events messages'],
    ['--events messages --expires-in 1h', '--events messages --expires-in 2h'],
  ])('of `create %s` is not mistaken for `create %s` of another run', async (own, other) => {
    const office = await losingOffice('/subscription');
    const options = { paths: temporaryPaths() };
    const result = office.run(`subscribe create --transport channel ${own}`, options);
    await eventually(office.isRequested);
    expect((await office.run(`subscribe create --transport channel ${other}`, options)).exit).toBe(0);
    office.lose();
    const { exit, stdout, stderr } = await result;
    expect([exit, stdout]).toEqual([14, '']);
    expect(stderr).toContain('ucctl subscribe list');
  });

  it.each(['create', 'listen'])(
    'of `%s` is not mistaken for a webhook subscription without keys of another run',
    async (command) => {
      const office = await losingOffice('/subscription');
      await using webhook = await startWebhook();
      const options = { paths: temporaryPaths() };
      const create = `subscribe create --events messages --address ${webhook.address}`;
      const result = office.run(command === 'create' ? create : listenAt(webhook.address), options);
      await eventually(office.isRequested);
      expect((await office.run(create, options)).exit).toBe(0);
      office.lose();
      expect((await result).exit).toBe(14);
      expect(office.sandbox.subscriptions()).toHaveLength(1);
    },
  );

  it('of `create` is not mistaken for a subscription that another run left with --keep', async () => {
    const office = await losingOffice('/subscription');
    const options = { paths: temporaryPaths() };
    const result = office.run('subscribe create --transport channel --events messages', options);
    await eventually(office.isRequested);
    const other = await live(office, 'subscribe tail --events messages --keep', options);
    other.interrupt();
    expect((await other.result).exit).toBe(0);
    office.lose();
    expect((await result).exit).toBe(14);
  });

  it('does not delete the subscription that another machine created, when the run ends', async () => {
    const office = await losingOffice('/subscription');
    const starting = live(office, 'subscribe tail --events messages');
    await eventually(office.isRequested);
    await office.run('subscribe create --transport channel --events messages');
    office.lose();
    const { ready, interrupt, result } = await starting;
    interrupt();
    const { exit, stderr } = await result;
    expect(exit).toBe(0);
    // A killed run shows only this warning, and no later run deletes the subscription.
    const [atStart = ''] = stderr.split('Ready');
    expect(atStart).toMatch(
      new RegExp(
        `this run uses subscription ${ready.subscriptionId}, which another program may have created; .*ucctl subscribe delete ${ready.subscriptionId}`,
      ),
    );
    expectLeft(office, ready.subscriptionId, stderr);
  });

  it('does not delete the subscription that another machine created, when the start fails', async () => {
    const office = await losingOffice('/subscription');
    await using webhook = await startWebhook();
    const result = office.run(listenAt(webhook.address));
    await eventually(office.isRequested);
    const create = `subscribe create --events messages --address ${webhook.address} --fields id`;
    const { stdout } = await office.run(create);
    office.lose();
    const { exit, stderr } = await result;
    expect([exit, stderr]).toEqual([1, expect.stringContaining('no handshake reached this listener')]);
    expectLeft(office, stdout.trim(), stderr);
  });

  it.each(['run', 'user'])(
    'of a chat webhook is not mistaken for the webhook of another %s',
    async (whose) => {
      const office = await losingOffice('/webhooks');
      const options = { paths: temporaryPaths() };
      const result = office.run('webhook create --group 3302', options);
      await eventually(office.isRequested);
      const other = {
        env: { UCCTL_BASE_URL: office.sandbox.url, UCCTL_TOKEN: await signInAs(office.sandbox, '103') },
      };
      const second = whose === 'user' ? other : options;
      expect((await office.run('webhook create --group 3302', second)).exit).toBe(0);
      office.lose();
      const { exit, stdout, stderr } = await result;
      expect([exit, stdout]).toEqual([14, '']);
      expect(stderr).toContain('ucctl webhook list --group 3302');
    },
  );
});

describe('a creation whose reply was lost', () => {
  it('is found among the subscriptions with the same events that other runs have recorded', async () => {
    const office = await losingOffice('/subscription', true);
    const paths = temporaryPaths();
    const starting = live(office, 'subscribe tail --events messages', { paths });
    await eventually(office.isRequested);
    const second = await live(office, 'subscribe tail --events messages', { paths });
    office.lose();
    const first = await starting;
    expect(first.ready.subscriptionId).not.toBe(second.ready.subscriptionId);
    second.interrupt();
    expect((await second.result).exit).toBe(0);
    first.interrupt();
    expectLeft(office, first.ready.subscriptionId, (await first.result).stderr);
  });

  it.each(['spec', 'current'] as const)('of an encrypted webhook is found in dialect %s', async (dialect) => {
    const office = await losingOffice('/subscription', true, dialect);
    office.lose();
    await using webhook = await startWebhook();
    const { exit, stdout } = await office.run(
      `subscribe create --events messages --encrypt --address ${webhook.address} --dialect ${dialect} --fields id`,
    );
    expect([exit, stdout]).toEqual([0, `${office.sandbox.subscriptions()[0]?.id}\n`]);
  });

  it('is not chosen among two subscriptions with the same events', async () => {
    const office = await losingOffice('/subscription', true);
    const starting = office.run('subscribe tail --events messages');
    await eventually(office.isRequested);
    await live(office, 'subscribe tail --events messages');
    office.lose();
    expect((await starting).exit).toBe(14);
    expect(office.sandbox.subscriptions()).toHaveLength(2);
  });
});

describe('a creation that is lost', () => {
  /** An office that loses creations after `begin`, and then all requests, unless the search works. */
  async function breakingOffice(isSearchable: boolean): Promise<Office & { readonly begin: () => void }> {
    let isBreaking = false;
    let isLost = false;
    const office = await openOffice('administrator', (send) => (request) => {
      const isCreation = request.method === 'POST' && /\/(subscription|webhooks)$/.test(request.url.pathname);
      isLost ||= isBreaking && isCreation;
      return isLost && (isCreation || !isSearchable)
        ? Promise.reject(new ConnectionError('ECONNRESET', 'unknown', request.url.origin, undefined))
        : send(request);
    });
    return {
      ...office,
      begin: () => {
        isBreaking = true;
      },
    };
  }
  const own = () => ({ paths: temporaryPaths(), env: { UCCTL_STORE: 'file' } });

  it.each(['subscribe create --transport channel --events messages', 'webhook create --group 3302'])(
    'has an unknown outcome if the search fails, too: %s',
    async (command) => {
      const office = await breakingOffice(false);
      office.begin();
      expect(await office.run(`${command} --retry 0`, own())).toMatchObject({ exit: 14, stdout: '' });
    },
  );

  it('is not mistaken for a chat webhook of the same user that existed before', async () => {
    const office = await breakingOffice(true);
    expect((await office.run('webhook create --group 3302', own())).exit).toBe(0);
    office.begin();
    const again = await office.run('webhook create --group 3302', own());
    expect(again).toMatchObject({ exit: 14, stdout: '' });
  });
});

describe('a creation in progress when the run is interrupted', () => {
  /** Starts a command, and interrupts it while the service processes the creation. */
  async function interrupted(command: string) {
    const stop = new AbortController();
    let finish: () => void = () => undefined;
    const isFinished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let isRequested = false;
    const office = await openOffice('administrator', (send) => async (request) => {
      if (request.method !== 'POST' || !/\/(subscription|webhooks)$/.test(request.url.pathname))
        return send(request);
      isRequested = true;
      const created = isFinished.then(() => send({ ...request, signal: new AbortController().signal }));
      return request.signal ? unlessAborted(created, request.signal) : created;
    });
    const result = office.run(command, { signal: stop.signal });
    await eventually(() => expect(isRequested).toBe(true));
    stop.abort(new Interrupted('SIGINT'));
    // A search that begins now must not find the subscription.
    for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
    finish();
    return { office, ...(await result) };
  }

  it.each(['', ' --transport webhook'])('is completed and deleted by tail%s', async (transport) => {
    const { office, exit, stderr } = await interrupted(`subscribe tail --events messages${transport}`);
    expect([exit, stderr]).toEqual([0, expect.stringMatching(/^Subscription \S+ deleted\.$/m)]);
    expect(office.sandbox.subscriptions()).toEqual([]);
  });

  it('is completed and shown by create', async () => {
    const { office, exit, stdout } = await interrupted(
      'subscribe create --transport channel --events messages --fields id',
    );
    expect([exit, stdout]).toEqual([0, `${office.sandbox.subscriptions()[0]?.id}\n`]);
  });

  it('is completed and shown by webhook create', async () => {
    const { exit, stdout } = await interrupted('webhook create --group 3302 -o json');
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, { groupIds: ['3302'] }]);
  });
});

it.each([
  'subscribe create --transport channel --events messages',
  'subscribe tail --events messages',
  'subscribe tail --events messages --transport webhook',
  'webhook create --group 3301',
])('an interrupt in the wait for a rate limit ends `%s` without another creation', async (command) => {
  const stop = new AbortController();
  let creations = 0;
  const office = await openOffice('administrator', (send) => (request) => {
    if (request.method !== 'POST' || !/\/(subscription|webhooks)$/.test(request.url.pathname))
      return send(request);
    creations += 1;
    return creations > 1
      ? send(request)
      : Promise.resolve(fakeReply({ status: 429, body: {}, headers: { 'retry-after': '60' } }));
  });
  const waits: number[] = [];
  const { exit, stdout } = await office.run(command, {
    signal: stop.signal,
    sleep(milliseconds, signal) {
      // The rest of the minute, on any machine.
      if (creations === 1 && milliseconds > 30_000) {
        waits.push(milliseconds);
        stop.abort(new Interrupted('SIGINT'));
      }
      return delay(milliseconds, undefined, { signal });
    },
  });
  expect([exit, stdout, creations, waits.length]).toEqual([130, '', 1, 1]);
});
