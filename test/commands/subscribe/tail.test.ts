import { describe, expect, it } from 'vitest';
import { ConnectionError, type HttpSend } from '../../../src/client/index.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';
import { eventsIn, live, sendText } from '../webhook/listening.ts';
import { OwnClock } from '../webhook/own-clock.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { eventually } from '../../support/eventually.ts';

describe('subscribe tail', () => {
  it('reads the hosted channel, which presence makes encrypted, and deletes its subscription', async () => {
    const office = await openOffice();
    const { ready, result } = await live(office, 'subscribe tail --count 2');
    expect(office.sandbox.subscriptions()).toMatchObject([
      { id: ready.subscriptionId, transportType: 'ChannelService', encryptionKey: expect.any(String) },
    ]);
    await office.run(sendText);
    await office.run('presence set --user-status Busy');
    const { stdout, stderr, exit } = await result;
    expect(eventsIn(stdout)).toMatchObject([
      { event: ready.eventFilters[0], body: { changes: [{ type: 'SMS', newCount: 1 }] } },
      { event: ready.eventFilters[1], body: { userStatus: 'Busy' } },
    ]);
    const owner = String(ready.eventFilters[0]).split('/').at(-2);
    expect(stderr).toBe(
      `Ready: watching messages and presence of extension ${owner}. Press Ctrl-C to stop.\nSubscription ${ready.subscriptionId}\nSubscription ${ready.subscriptionId} deleted.\n`,
    );
    expect(exit).toBe(0);
    expect(office.sandbox.subscriptions()).toEqual([]);
  });

  it('shows lines on a terminal', async () => {
    const office = await openOffice();
    const { result } = await live(office, 'subscribe tail --count 1 --color never', { terminal: 100 });
    await office.run('presence set --user-status Busy');
    const { stdout, stderr } = await result;
    expect(stdout).toBe('Monday, 5 January 2026 (UTC)\n09:00:00  Avery Quinn (100) is busy\n');
    expect(stderr).toContain(
      'Ready: watching messages and presence of Avery Quinn (100). Press Ctrl-C to stop.\nSubscription ',
    );
    expect(stderr).toContain('To see who calls, use presence:detailed in --events.\n');
  });

  it('shows times in the zone of --tz', async () => {
    const office = await openOffice();
    const { result } = await live(office, 'subscribe tail --count 1 --color never --tz Asia/Tokyo', {
      terminal: 100,
    });
    await office.run('presence set --user-status Busy');
    expect((await result).stdout).toMatch(
      /^Monday, 5 January 2026 \(Asia\/Tokyo\)\n18:00:00 {2}Avery Quinn \(100\) is busy/,
    );
  });

  it('exits with 0 when its reader exits, and deletes its subscription', async () => {
    const office = await openOffice();
    const gone = (): never => {
      throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
    };
    const { result } = await live(office, 'subscribe tail', { onStdout: gone });
    await office.run(sendText);
    expect(await result).toMatchObject({ exit: 0, stdout: '' });
    expect(office.sandbox.subscriptions()).toEqual([]);
  });

  it('rejects a chat webhook as a target and does not show its key', async () => {
    const office = await openOffice();
    const address = 'https://hooks.example/webhook/v2/0a1b2c3d-0000-4000-8000-00000000000f';
    const { stdout, stderr, exit } = await office.run(`subscribe tail --forward-to ${address}`);
    expect({ stdout, stderr, exit }).toEqual({
      stdout: '',
      stderr:
        'error: --forward-to: the address at hooks.example is a chat webhook, which accepts posts and no events\n' +
        `  try:     to post the line of each event, use --exec with this command: ucctl webhook post ID -- "$UCCTL_DETAILS"\n`,
      exit: 2,
    });
    expect(office.sandbox.subscriptions()).toEqual([]);
  });

  it('accepts a target that only resembles the address of a chat webhook', async () => {
    const office = await openOffice();
    const target = 'http://localhost:3999/webhook/v2/events';
    const { interrupt, result } = await live(office, `subscribe tail --forward-to ${target}`);
    interrupt();
    expect(await result).toMatchObject({ exit: 0, stderr: expect.not.stringContaining('chat webhook') });
  });

  it('warns about a queue, whose events do not include the calls of its agents', async () => {
    const office = await openOffice();
    const { interrupt, result } = await live(office, 'subscribe tail --extension 102,Support');
    interrupt();
    const { stderr, exit } = await result;
    expect(exit).toBe(0);
    expect(stderr.match(/^.*is a call queue.*$/gmu)).toEqual([
      expect.stringMatching(
        /Support \(201\) is a call queue, .*: ucctl queue watch 201 or ucctl presence watch --queue 201$/,
      ),
    ]);
  });

  it('keeps the subscription with --keep', async () => {
    const office = await openOffice();
    const { ready, result, interrupt } = await live(office, 'subscribe tail --keep');
    interrupt();
    expect((await result).stderr).toContain(`Subscription ${ready.subscriptionId} was not deleted (--keep).`);
    expect(office.sandbox.subscriptions()).toHaveLength(1);
  });

  it('receives on this machine with --transport webhook', async () => {
    const office = await openOffice();
    const { result } = await live(office, 'subscribe tail --transport webhook --count 1');
    expect(office.sandbox.subscriptions()).toMatchObject([{ transportType: 'WebHook' }]);
    await office.run(sendText);
    expect(eventsIn((await result).stdout)).toHaveLength(1);
  });

  it.each([
    ['--public-url https://x.example', '--public-url can be used only with --transport webhook'],
    ['--port 4000', '--port can be used only with --transport webhook'],
    [
      '--transport webhook --channel-url http://127.0.0.1:9',
      '--channel-url can be used only with --transport channel',
    ],
    [
      '--channel-url http://channel.example.com',
      '--channel-url: "http://channel.example.com" is not a valid https:// URL',
    ],
    ['--channel-url channel.example.com', 'http:// is accepted only for this machine'],
    [
      '--extension 101,102 --events /restapi/v1.0/account/~/extension/~/message-store?type=SMS',
      '--extension applies only to messages, presence and lines',
    ],
    ['--extension 101 --events extensions', '--extension applies only to messages, presence and lines'],
    ['--all-extensions --events extensions', '--all-extensions applies only to messages, presence and lines'],
  ])('%s ends with 2 before anything is subscribed', async (flags, words) => {
    const office = await openOffice();
    const { exit, stdout, stderr } = await office.run(`subscribe tail ${flags}`);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain(words);
    expect(office.requests()).toEqual([]);
  });

  it('does not report that it is ready if it is stopped before the channel responds', async () => {
    const stop = new AbortController();
    const silent =
      (send: HttpSend): HttpSend =>
      (request) => {
        if (!request.url.pathname.startsWith('/v2/subscribe/')) return send(request);
        stop.abort(new Error('interrupted'));
        return Promise.reject(new ConnectionError('ECONNREFUSED', 'no', request.url.origin, undefined));
      };
    const office = await openOffice('administrator', silent);
    const { exit, stderr } = await office.run('subscribe tail', { signal: stop.signal });
    expect(exit).toBe(0);
    expect(stderr).not.toContain('ready:');
    expect(stderr).toMatch(/^Subscription \S+ deleted\.$/m);
    expect(office.sandbox.subscriptions()).toEqual([]);
  });

  it.each([
    ['did not respond', 'no reply from'],
    ['sent an HTML page', 'the channel sent a reply that is not JSON; retrying'],
  ])('resumes at the same message after the channel %s', async (how, words) => {
    const state = { broken: false };
    const breaks =
      (send: HttpSend): HttpSend =>
      (request) => {
        if (!state.broken || !request.url.pathname.startsWith('/v2/subscribe/')) return send(request);
        state.broken = false;
        if (how === 'sent an HTML page')
          return Promise.resolve(fakeReply({ status: 200, body: Buffer.from('<html>') }));
        return Promise.reject(new ConnectionError('ECONNRESET', 'unknown', request.url.origin, undefined));
      };
    const office = await openOffice('administrator', breaks);
    const { result, shown } = await live(office, 'subscribe tail --count 3');
    await office.run(sendText);
    await eventually(() => expect(shown()).toHaveLength(1));
    state.broken = true;
    await office.run(sendText);
    await office.run(sendText);
    const { stdout, stderr } = await result;
    expect(new Set(eventsIn(stdout).map(({ uuid }) => uuid)).size).toBe(3);
    expect(stderr).toContain(`the hosted channel does not send a valid reply: ${words}`);
  });

  it('exits while a new subscription waits for a channel that does not respond', async () => {
    const state = { broken: false };
    const breaks =
      (send: HttpSend): HttpSend =>
      (request) =>
        state.broken && request.url.pathname.startsWith('/v2/subscribe/')
          ? Promise.reject(new ConnectionError('ECONNREFUSED', 'no', request.url.origin, undefined))
          : send(request);
    const office = await openOffice('administrator', breaks);
    const clock = new OwnClock(Date.UTC(2026, 0, 5, 9));
    let written = (): void => undefined;
    let isWriting = false;
    const { result } = await live(office, 'subscribe tail --count 1', {
      now: clock.now,
      sleep: clock.sleep,
      onStdout: () =>
        new Promise((resolve) => {
          isWriting = true;
          written = resolve;
        }),
    });
    await office.run(sendText);
    await eventually(() => expect(isWriting).toBe(true));
    state.broken = true;
    await office.sandbox.clock.advance(16 * 60_000);
    expect(office.sandbox.subscriptions()).toEqual([]);
    await clock.advance(60_000);
    await eventually(() => expect(office.sandbox.subscriptions()).toHaveLength(1));
    written();
    expect((await result).exit).toBe(0);
    expect(office.sandbox.subscriptions()).toEqual([]);
  });

  it('reports the period of a gap from the last reply of a channel that dropped messages', async () => {
    const replies = [{ t: { t: '1' }, m: [] as unknown[] }];
    let waiting: (() => void) | undefined;
    const full =
      (send: HttpSend): HttpSend =>
      async (request) => {
        if (!request.url.pathname.startsWith('/v2/subscribe/')) return send(request);
        const body = replies.shift();
        if (body) return fakeReply({ status: 200, body });
        return new Promise((resolve, reject) => {
          waiting = () => resolve(fakeReply({ status: 200, body: replies.shift() }));
          request.signal?.addEventListener('abort', () => reject(new Error('ended')));
        });
      };
    const office = await openOffice('administrator', full);
    const clock = new OwnClock(Date.UTC(2026, 0, 5, 9));
    const { ready, result, interrupt } = await live(office, 'subscribe tail --events messages', {
      now: clock.now,
      sleep: clock.sleep,
    });
    await eventually(() => expect(waiting).toBeDefined());
    await clock.advance(20_000);
    const event = { uuid: 'u1', event: ready.eventFilters[0], body: {} };
    replies.push({ t: { t: '2' }, m: Array.from({ length: 100 }, () => ({ d: event })) });
    const answer = waiting;
    waiting = undefined;
    answer?.();
    await eventually(() => expect(waiting).toBeDefined());
    await clock.advance(3000);
    interrupt();
    expect((await result).stderr).toContain(
      'the channel received more messages than it can store between 2026-01-05T09:00:00.000Z and 2026-01-05T09:00:20.000Z: recovered 0 messages',
    );
  });

  it('finds its channel if the response to its creation is lost', async () => {
    const losesAnswer =
      (send: HttpSend): HttpSend =>
      async (request) => {
        const reply = await send(request);
        if (request.method === 'POST' && request.url.pathname.endsWith('/subscription')) {
          throw new ConnectionError('ECONNRESET', 'unknown', request.url.origin, undefined);
        }
        return reply;
      };
    const office = await openOffice('administrator', losesAnswer);
    const { ready, result, interrupt } = await live(office, 'subscribe tail');
    expect(office.sandbox.subscriptions()).toMatchObject([{ id: ready.subscriptionId }]);
    interrupt();
    expect((await result).stderr).toContain(`ucctl subscribe delete ${ready.subscriptionId}`);
  });

  it('deletes the subscription of a killed run at the next start', async () => {
    const paths = temporaryPaths();
    const state = { cut: false };
    const cut =
      (send: HttpSend): HttpSend =>
      (request) =>
        state.cut && request.method === 'DELETE' ? Promise.reject(new Error('cut')) : send(request);
    const office = await openOffice('administrator', cut);
    const first = await live(office, 'subscribe tail', { paths });
    state.cut = true;
    first.interrupt();
    expect((await first.result).stderr).toContain('could not delete subscription');
    state.cut = false;
    expect(office.sandbox.subscriptions()).toHaveLength(1);
    const second = await live(office, 'subscribe tail', { paths });
    expect(office.sandbox.subscriptions()).toMatchObject([{ id: second.ready.subscriptionId }]);
    expect(second.ready.subscriptionId).not.toBe(first.ready.subscriptionId);
  });

  it('retries to delete the subscriptions of killed runs at later starts', async () => {
    const paths = temporaryPaths();
    const state = { cut: true };
    const cut =
      (send: HttpSend): HttpSend =>
      (request) =>
        state.cut && request.method === 'DELETE' ? Promise.reject(new Error('cut')) : send(request);
    const office = await openOffice('administrator', cut);
    const killed = [
      await live(office, 'subscribe tail', { paths }),
      await live(office, 'subscribe tail', { paths }),
    ];
    for (const { interrupt, result } of killed) {
      interrupt();
      await result;
    }
    const [own, other] = killed.map(({ ready }) => ready.subscriptionId);
    const failing = await live(office, 'subscribe tail', { paths });
    state.cut = false;
    failing.interrupt();
    const { stderr } = await failing.result;
    for (const id of [own, other])
      expect(stderr).toContain(
        `could not delete subscription ${id} of an earlier run (cut); retry with: ucctl subscribe delete ${id}`,
      );
    const last = await live(office, 'subscribe tail', { paths });
    const left = office.sandbox.subscriptions().map(({ id }) => id);
    expect(new Set(left)).toEqual(new Set([own, last.ready.subscriptionId]));
    last.interrupt();
    await last.result;
  });
});

describe('subscribe create --transport channel', () => {
  it('spec:CLIENT-27 stores the keys in the token store and shows them only with --show-secrets', async () => {
    const office = await openOffice();
    const paths = temporaryPaths();
    const options = { paths, env: { UCCTL_STORE: 'file' } };
    const masked = JSON.parse(
      (await office.run('subscribe create --transport channel --encrypt --events messages -o json', options))
        .stdout,
    ) as { id: string; deliveryMode: Record<string, string> };
    expect(masked.deliveryMode).toMatchObject({
      transportType: 'ChannelService',
      encryption: true,
      encryptionKey: '********',
      subscriberKey: '********',
      secretKey: '********',
    });
    for (const command of ['list', `show ${masked.id}`, `renew ${masked.id}`]) {
      expect((await office.run(`subscribe ${command} -o json`, options)).stdout).not.toContain('sub-c-');
    }
    const open = await office.run(`subscribe show ${masked.id} --show-secrets -o json`, options);
    expect(JSON.parse(open.stdout)).toMatchObject({
      deliveryMode: { subscriberKey: expect.stringMatching(/^sub-c-/) },
    });
  });

  it.each([
    [
      '--transport channel --address https://x.example/in',
      '--address can be used only with --transport webhook',
    ],
    ['--transport channel --expires-in 8d', 'lasts at most 604800 s'],
    ['--transport channel --events reminder:600,60', 'half of the subscription lifetime (900 s)'],
    ['', '--address URL is required'],
  ])('%s ends with 2 before anything is sent', async (flags, words) => {
    const office = await openOffice();
    office.requests();
    const events = flags.includes('--events') ? '' : '--events messages';
    const { exit, stderr } = await office.run(`subscribe create ${events} ${flags}`);
    expect(exit).toBe(2);
    expect(stderr).toContain(words);
    expect(office.requests()).toEqual([]);
  });
});

describe('subscribe update', () => {
  const make = async () => {
    const office = await openOffice();
    const { stdout } = await office.run('subscribe create --transport channel --events messages -o json');
    return { office, id: (JSON.parse(stdout) as { id: string }).id };
  };

  it('changes events and lifetime', async () => {
    const { office, id } = await make();
    const { stdout } = await office.run(
      `subscribe update ${id} --events presence,lines --extension 101,102 --expires-in 1h -o json`,
    );
    const changed = JSON.parse(stdout) as { eventFilters: string[]; expiresIn: number };
    expect(changed.expiresIn).toBe(3600);
    expect(changed.eventFilters).toHaveLength(4);
    expect(changed.eventFilters[0]).toMatch(/extension\/\d+\/presence$/);
  });

  it('sends the current filters with a new lifetime, and no body for a renewal alone', async () => {
    const bodies: unknown[] = [];
    const office = await openOffice('administrator', (send) => (request) => {
      if (request.method === 'PUT') bodies.push(request.body && JSON.parse(String(request.body)));
      return send(request);
    });
    const made = await office.run('subscribe create --transport channel --events messages -o json');
    const { id, eventFilters } = JSON.parse(made.stdout) as { id: string; eventFilters: readonly string[] };
    await office.run(`subscribe update ${id} --expires-in 1h`);
    await office.run(`subscribe update ${id}`);
    expect(bodies).toEqual([{ eventFilters, expiresIn: 3600 }, undefined]);
  });

  it('only renews without options', async () => {
    const { office, id } = await make();
    const { stdout } = await office.run(`subscribe update ${id} -o json`);
    expect(JSON.parse(stdout)).toMatchObject({ id, eventFilters: [expect.stringMatching(/message-store$/)] });
  });

  it.each([
    ['--events nonsense', 2],
    ['--events reminder:600,60', 2],
    ['--extension 101', 2],
    ['--events extensions --extension 101', 2],
  ])('%s ends with %d', async (flags, exit) => {
    const { office, id } = await make();
    expect((await office.run(`subscribe update ${id} ${flags}`)).exit).toBe(exit);
  });

  it('reports a missing subscription', async () => {
    const { office } = await make();
    expect(await office.run('subscribe update nothing')).toMatchObject({ exit: 3 });
  });
});
