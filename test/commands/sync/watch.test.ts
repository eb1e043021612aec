import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HttpReply, HttpRequest, HttpSend } from '../../../src/client/index.ts';
import { MisbehavingService } from '../../foreign/web-socket/service.ts';
import { userClient } from '../../sandbox/request.ts';
import { startCutProxy } from '../../support/cut-proxy.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { postgresMissing, testStore } from '../../support/postgres.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { live } from '../webhook/listening.ts';
import { openOffice } from '../office.ts';
import { eventually } from '../../support/eventually.ts';
import { runUcctl } from '../../support/run-ucctl.ts';
import { TurnClock } from '../../support/turn-clock.ts';

interface Line {
  readonly mailbox: string;
  readonly added?: number;
}

/** A clock whose waits end when the test advances it with `pass`. */
function testTime() {
  const waiting = new Set<{ left: number; end: () => void }>();
  return {
    sleep: (milliseconds: number, signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        signal.throwIfAborted();
        const wait = { left: milliseconds, end: resolve };
        waiting.add(wait);
        signal.addEventListener('abort', () => {
          waiting.delete(wait);
          reject(new Error('interrupted'));
        });
      }),
    pass(milliseconds: number) {
      for (const wait of waiting) {
        wait.left -= milliseconds;
        if (wait.left > 0) continue;
        waiting.delete(wait);
        wait.end();
      }
    },
    waitsOf: (milliseconds: number) => [...waiting].filter(({ left }) => left === milliseconds).length,
  };
}

/** `sync --watch` of 102, on the clock of the sandbox, until it is ready and its second round is over. */
async function watching(around?: (send: HttpSend) => HttpSend, store?: string) {
  const office = await openOffice('102', around);
  const time = testTime();
  const paths = temporaryPaths();
  const other = await userClient(office.sandbox, '103');
  const send = async (text: string) => {
    const body = { from: { phoneNumber: '+16505550113' }, to: [{ phoneNumber: '+16505550112' }], text };
    await other.post('/account/~/extension/~/sms', body);
  };
  const options = { paths, now: () => office.sandbox.clock.now(), sleep: time.sleep };
  const syncs = () => office.requests().filter((line) => line.endsWith('/message-sync')).length;
  /** Lets the time pass in which notifications gather. */
  const settle = async () => {
    await eventually(() => expect(time.waitsOf(1000)).toBe(1));
    time.pass(1000);
  };
  const pass = async (milliseconds: number) => {
    await office.sandbox.clock.advance(milliseconds);
    time.pass(milliseconds);
  };
  return {
    office,
    time,
    send,
    syncs,
    settle,
    pass,
    options,
    start: (flags = '') =>
      live(office, `sync --watch${flags}${store === undefined ? '' : ` --store ${store}`}`, options),
  };
}

const createsSubscription = ({ method, url }: HttpRequest): boolean =>
  method === 'POST' && url.pathname.endsWith('/subscription');

/** Something that a test waits for, and its trigger. */
function occasion() {
  let happens = (): void => undefined;
  const happened = new Promise<void>((resolve) => {
    happens = resolve;
  });
  return { happened, happens };
}

/** A reply that ends early. */
function shortened(reply: HttpReply): HttpReply {
  return {
    ...reply,
    async *bytes() {
      yield new TextEncoder().encode((await reply.text()).slice(0, -20));
    },
  };
}

function added(lines: readonly unknown[]): readonly (number | undefined)[] {
  return (lines as readonly Line[]).map((line) => line.added);
}

/** The option that names the archive: a file by default, or an empty store. */
const archives = {
  'a file': () => Promise.resolve(undefined),
  'a store': async () => (await testStore()).url,
} as const;

for (const [name, archive] of Object.entries(archives)) {
  describe.skipIf(name === 'a store' && postgresMissing())(`sync --watch into ${name}`, () => {
    it('copies new messages on notifications, several in one sync, and deletes its subscription', async () => {
      const { office, send, syncs, settle, start } = await watching(undefined, await archive());
      await send('before');
      const { result, shown, interrupt, ready } = await start();
      expect(syncs()).toBeGreaterThan(0);
      await settle();
      await eventually(() => expect(syncs()).toBe(1));
      for (const text of ['one', 'two', 'three']) await send(text);
      await settle();
      await eventually(() => expect(added(shown())).toEqual([1, 3]));
      expect(syncs()).toBe(1);
      interrupt();
      const { exit, stderr } = await result;
      expect(exit).toBe(0);
      expect(stderr).toContain(`Subscription ${ready.subscriptionId} deleted.`);
      expect(office.sandbox.subscriptions()).toEqual([]);
    });

    it('recreates a lost subscription, and copies what arrived in the meantime', async () => {
      const { office, send, syncs, settle, pass, start } = await watching(undefined, await archive());
      const { result, shown, interrupt, ready, readyFile } = await start();
      expect(syncs()).toBeGreaterThan(0);
      await settle();
      // The second round must be over: a round in progress would copy the message without the new subscription.
      await eventually(() => expect(syncs()).toBe(1));
      await office.run(`subscribe delete ${ready.subscriptionId} --yes`);
      await send('unheard');
      expect(office.sandbox.subscriptions()).toEqual([]);
      await pass(60_000);
      await pass(60_000);
      await eventually(() => expect(office.sandbox.subscriptions()).toHaveLength(1));
      const id = office.sandbox.subscriptions()[0]?.id;
      await eventually(() =>
        expect(JSON.parse(readFileSync(readyFile, 'utf8'))).toMatchObject({ subscriptionId: id }),
      );
      await settle();
      await eventually(() => expect(added(shown())).toEqual([0, 1]));
      await send('heard');
      await settle();
      await eventually(() => expect(added(shown())).toEqual([0, 1, 1]));
      interrupt();
      expect((await result).stderr).toContain('the subscription was lost; syncing all mailboxes');
      expect(office.sandbox.subscriptions()).toEqual([]);
    });

    it.each([
      ['the service was unreachable', shortened],
      ['a sign-in page of the network answered', () => fakeReply({ status: 403, body: 'page' })],
    ])('continues after %s', async (_, broken) => {
      const state = { broken: false };
      const breaks =
        (send: HttpSend): HttpSend =>
        async (request) => {
          const reply = await send(request);
          return state.broken && request.url.pathname.endsWith('/message-sync') ? broken(reply) : reply;
        };
      const { send, settle, pass, start, syncs, time } = await watching(breaks, await archive());
      const { result, shown, interrupt } = await start();
      expect(syncs()).toBeGreaterThan(0);
      await settle();
      await eventually(() => expect(syncs()).toBe(1));
      state.broken = true;
      await send('one');
      await settle();
      await eventually(() => expect(time.waitsOf(30_000)).toBe(1));
      state.broken = false;
      await pass(30_000);
      await settle();
      await eventually(() => expect(added(shown())).toEqual([0, 1]));
      await send('two');
      await settle();
      await eventually(() => expect(added(shown())).toEqual([0, 1, 1]));
      interrupt();
      const { stderr } = await result;
      expect(stderr).toMatch(/retrying\n(.*\n)*sync is working again/);
      expect(stderr.match(/sync is working again/g)).toHaveLength(1);
    });
  });
}

describe.skipIf(postgresMissing())('sync --watch into a store that is not reachable for a while', () => {
  it('warns, retries, and copies each message once', async () => {
    const { url, db } = await testStore();
    const state = { isArmed: false };
    const link = await startCutProxy(url, { at: /commit/i, when: 'before', isArmed: () => state.isArmed });
    const { send, settle, pass, start, time } = await watching(undefined, link.url);
    const { result, shown, interrupt } = await start();
    await settle();
    // The second round is over.
    await eventually(async () =>
      expect(await db.query('select 1 from stream where version > 1')).toHaveLength(1),
    );
    state.isArmed = true;
    await send('one');
    await settle();
    await eventually(() => expect(time.waitsOf(30_000)).toBe(1));
    expect(link.cuts()).toBe(1);
    await pass(30_000);
    await settle();
    await eventually(() => expect(added(shown())).toEqual([0, 1]));
    interrupt();
    const { exit, stderr } = await result;
    expect([exit, stderr]).toEqual([0, expect.stringMatching(/retrying\n(.*\n)*sync is working again/)]);
    const rows = await db.query<{ text: string }>('select text from v_message');
    expect(rows.map(({ text }) => text)).toEqual(['one']);
  });
});

describe('sync --watch', () => {
  it('without live events syncs every mailbox periodically', async () => {
    const rejectsSync =
      (send: HttpSend): HttpSend =>
      (request) =>
        send(
          createsSubscription(request)
            ? { ...request, url: new URL('/restapi/v1.0/nowhere', request.url) }
            : request,
        );
    const { office, send, settle, pass, time } = await watching(rejectsSync);
    const stop = new AbortController();
    const lines: string[] = [];
    const result = office.run('sync --watch --sweep 300s', {
      signal: stop.signal,
      now: () => office.sandbox.clock.now(),
      sleep: time.sleep,
      onStdout: (text) => void lines.push(text),
    });
    await eventually(() => expect(lines).toHaveLength(1));
    await send('one');
    await eventually(() => expect(time.waitsOf(300_000)).toBe(1));
    await pass(300_000);
    await settle();
    await eventually(() => expect(lines).toHaveLength(2));
    stop.abort(new Error('interrupted'));
    const { exit, stderr } = await result;
    expect([exit, stderr]).toEqual([0, expect.stringContaining('syncing all mailboxes every 300 s')]);
  });

  it.each([
    ['purge', undefined, []],
    // Another run changes the policy meanwhile.
    ['mark', 'keep', [{ availability: 'Purged', text: 'one' }]],
  ])(
    'handles deleted messages in later rounds with --on-delete %s, then %s',
    async (policy, next, expected) => {
      const { office, send, syncs, settle, start, options } = await watching();
      const user = await userClient(office.sandbox, '102');
      await send('one');
      const { result, shown, interrupt } = await start(` --on-delete ${policy}`);
      expect(syncs()).toBeGreaterThan(0);
      await settle();
      await eventually(() => expect(syncs()).toBe(1));
      if (next !== undefined) await office.run(`sync --on-delete ${next}`, options);
      const [one] = office.sandbox.messages('171857102');
      await user.delete(`/account/~/extension/~/message-store/${one?.id}?purge=true`);
      await settle();
      await eventually(() => expect(shown()).toHaveLength(2));
      interrupt();
      expect((await result).exit).toBe(0);
      const statement = 'select availability, text from v_message';
      const { stdout } = await office.run(['sync', 'sql', statement, '-o', 'json'], options);
      expect(JSON.parse(stdout)).toEqual(expected);
    },
  );

  it('ends with an error that no retry can fix', async () => {
    const state = { isOther: false };
    const renamed =
      (send: HttpSend): HttpSend =>
      async (request) => {
        const reply = await send(request);
        if (!state.isOther || !request.url.pathname.endsWith('/message-sync')) return reply;
        const text = (await reply.text()).replaceAll('/extension/171857102/', '/extension/999/');
        return fakeReply({ status: 200, body: JSON.parse(text) as object });
      };
    const { send, syncs, settle, start } = await watching(renamed);
    const { result } = await start();
    expect(syncs()).toBeGreaterThan(0);
    await settle();
    await eventually(() => expect(syncs()).toBe(1));
    state.isOther = true;
    await send('one');
    await settle();
    const { exit, stderr } = await result;
    expect([exit, stderr]).toEqual([11, expect.stringContaining('the mailbox of extension 999')]);
    expect(stderr).not.toContain('retrying');
  });

  it('exits if every mailbox is rejected', async () => {
    const { office } = await watching();
    const unreadable = await office.run('sync --watch --extension 103');
    expect([unreadable.exit, unreadable.stderr.includes('cannot read any of the mailboxes')]).toEqual([
      5,
      true,
    ]);
    expect(office.sandbox.subscriptions()).toEqual([]);
  });

  it('leaves no subscription if the reader of stdout exits while the session opens', async () => {
    const [asked, left, created] = [occasion(), occasion(), occasion()];
    const slow =
      (send: HttpSend): HttpSend =>
      async (request) => {
        if (!createsSubscription(request)) return send(request);
        asked.happens();
        await left.happened;
        return send(request).finally(() => created.happens());
      };
    const { office } = await watching(slow);
    const file = join(temporaryFolder(), 'ready.json');
    let exits = (): void => undefined;
    const result = office.run(`sync --watch --ready-file ${file}`, {
      now: () => office.sandbox.clock.now(),
      onReaderGone: (onGone) => {
        exits = onGone;
        return () => undefined;
      },
    });
    await asked.happened;
    exits();
    left.happens();
    await created.happened;
    expect((await result).exit).toBe(0);
    expect(office.sandbox.subscriptions()).toEqual([]);
    expect(existsSync(file)).toBe(false);
  });

  it('ends its requests if the reader of stdout exits during a sync', async () => {
    const asked = occasion();
    const silent =
      (send: HttpSend): HttpSend =>
      (request) => {
        if (!request.url.pathname.endsWith('/message-sync')) return send(request);
        asked.happens();
        return new Promise((_resolve, reject) => {
          request.signal?.addEventListener('abort', () => reject(request.signal?.reason as Error));
        });
      };
    const { office } = await watching(silent);
    let exits = (): void => undefined;
    const result = office.run('sync --watch', {
      now: () => office.sandbox.clock.now(),
      onReaderGone: (onGone) => {
        exits = onGone;
        return () => undefined;
      },
    });
    await asked.happened;
    exits();
    expect((await result).exit).toBe(0);
  });

  it('ends if the ready file cannot be written, although live events are available', async () => {
    const { office } = await watching();
    const folder = temporaryFolder();
    symlinkSync(join(folder, 'missing'), join(folder, 'link'));
    const file = join(folder, 'link', 'ready.json');
    const { exit, stderr } = await office.run(`sync --watch --ready-file ${file}`);
    expect([exit, stderr]).toEqual([12, expect.stringContaining(`the ready file ${file}`)]);
    expect(stderr).not.toContain('live events are not available');
    expect(office.sandbox.subscriptions()).toEqual([]);
  });
});

describe('sync --watch through a WebSocket', () => {
  it('opens another session after the service has rejected a new subscription', async () => {
    const clock = new TurnClock();
    const rejected = ({ messageId, connection }: { messageId: string; connection: number }) =>
      connection === 2
        ? [JSON.stringify([{ type: 'ClientRequest', messageId, status: 403 }, {}])]
        : undefined;
    const service = new MisbehavingService(
      { name: 'a rejection', tokens: 3, recovery: () => 'Failed', response: rejected },
      clock.now,
    );
    const origin = await service.listen();
    onTestFinished(() => service.close());
    const file = join(temporaryFolder(), 'ready.json');
    const stop = new AbortController();
    const seen = { stdout: '', stderr: '' };
    const result = runUcctl(`sync --watch --sweep 24h -o ndjson --ready-file ${file}`, {
      env: { UCCTL_BASE_URL: origin, UCCTL_TOKEN: 'token-of-the-user-1', UCCTL_DIALECT: 'current' },
      signal: stop.signal,
      now: clock.now,
      sleep: clock.sleep,
      onStdout: (text) => void (seen.stdout += text),
      onStderr: (text) => void (seen.stderr += text),
    });
    const ready = (count: number) =>
      eventually(() => expect(seen.stderr.match(/"ready"/g)).toHaveLength(count));
    const copied = (count: number) =>
      eventually(() => expect(seen.stdout.match(/"added":1/g)).toHaveLength(count));
    await ready(1);
    service.cut();
    await eventually(() => expect(seen.stderr).toContain('HTTP 403; '));
    expect(existsSync(file)).toBe(false);
    await ready(2);
    // The first text may be copied by the sync that follows the subscription, the second text only after its event.
    service.publish();
    await copied(1);
    service.publish();
    await copied(2);
    expect(existsSync(file)).toBe(true);
    stop.abort(new Error('interrupted'));
    expect((await result).exit).toBe(0);
  });
});
