import { setImmediate as immediate, setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/errors/service.ts';
import { Board, reasonOf, stateOf, type PresenceFields } from '../../../src/features/board/state.ts';
import { boardView } from '../../../src/features/board/view.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { openOffice, type Office } from '../office.ts';

interface Seen {
  readonly extensionNumber: string;
  readonly state: string;
  readonly acceptsQueueCalls: boolean;
}

/** An office whose service reports another name of Dana Okafor from the call of `rename` on. */
async function renamingOffice() {
  let isRenamed = false;
  let time = Date.UTC(2026, 0, 5, 12);
  const office = await openOffice('administrator', (send) => async (request) => {
    const reply = await send(request);
    if (!isRenamed || !request.url.pathname.endsWith('/account/~/extension')) return reply;
    const text = (await reply.text()).replaceAll('Dana Okafor', 'Dana King');
    return { ...reply, text: () => Promise.resolve(text) };
  });
  const rename = (): void => {
    isRenamed = true;
    time += 600_000;
  };
  return { office, rename, now: () => time };
}

/** Watches until `enough`, doing something after the first full round. */
async function watch(
  office: Office,
  argv: string,
  steps: readonly (() => Promise<unknown>)[],
  options: Parameters<Office['run']>[1] = {},
): Promise<{ readonly exit: number; readonly stderr: string; readonly rows: readonly string[] }> {
  const stop = new AbortController();
  const rows: string[] = [];
  const waiting = [...steps];
  const result = await office.run(argv, {
    ...options,
    signal: stop.signal,
    onStdout: (text) => {
      rows.push(...text.split('\n').filter((line) => line !== ''));
      if (rows.length < 3) return;
      const step = waiting.shift();
      if (step) void step();
      else stop.abort(new Error('enough'));
    },
  });
  return { ...result, rows };
}

describe('queue watch', () => {
  it('shows who is signed out of the queue in dialect current', async () => {
    const office = await openOffice('administrator', undefined, ':memory:', { dialect: 'current' });
    await office.run('queue availability Support --agent 102 --off --yes --dialect current');
    const { rows, exit } = await watch(office, 'queue watch Support --dialect current', []);
    expect(exit).toBe(0);
    expect(rows.slice(0, 3).map((row) => JSON.parse(row) as unknown)).toMatchObject([
      {
        extensionNumber: '102',
        state: 'signed out of the queue',
        acceptsQueueCalls: false,
        isSignedOut: true,
        dndStatus: 'TakeAllCalls',
      },
      { extensionNumber: '103', state: 'available', acceptsQueueCalls: true, isSignedOut: false },
      { extensionNumber: '104', state: 'available', isSignedOut: false },
    ]);
  });

  it.each([
    ['at the start', []],
    ['later', [{ extensionNumber: '102', isSignedOut: true }]],
  ])(
    'shows the members, old and new, if %s the service does not report who is signed out',
    async (when, signedOut) => {
      let isBroken = when === 'at the start';
      const office = await openOffice(
        'administrator',
        (send) => (request) =>
          isBroken &&
          request.url.pathname.endsWith('/presence') &&
          request.url.pathname.includes('/call-queues/')
            ? Promise.resolve(fakeReply({ status: 200, body: [] }))
            : send(request),
        ':memory:',
        { dialect: 'current' },
      );
      await office.run('queue availability Support --agent 102 --off --yes --dialect current');
      const breakAndAdd = (): Promise<unknown> => {
        isBroken = true;
        return office.run('queue assign --queue 201 --add 106 --yes --dialect current');
      };
      const { rows, exit, stderr } = await watch(
        office,
        'queue watch Support --poll --dialect current',
        [breakAndAdd],
        { sleep: () => immediate() },
      );
      expect(exit).toBe(0);
      expect(stderr.match(/warning: /g)).toHaveLength(1);
      expect(stderr).toContain('it is unknown who is signed out of a queue: ');
      const seen = rows.map((row) => JSON.parse(row) as Seen & { isSignedOut?: boolean });
      expect(seen.filter(({ isSignedOut }) => isSignedOut)).toMatchObject(signedOut);
      expect(seen[3]).toMatchObject({ extensionNumber: '106', name: 'Mei Lin' });
    },
  );

  it('in a pipe writes the current states and then each change as NDJSON, and deletes its subscription', async () => {
    const office = await openOffice();
    const { rows, exit, stderr } = await watch(office, 'queue watch Support', [
      () => office.run('presence set 103 --queue-calls off'),
    ]);
    // The board never showed the subscription, so its deletion is not reported.
    expect([exit, stderr]).toEqual([0, '']);
    const seen = rows.map((row) => JSON.parse(row) as Seen);
    expect(seen.slice(0, 3).map(({ extensionNumber, state }) => [extensionNumber, state])).toEqual([
      ['102', 'available'],
      ['103', 'available'],
      ['104', 'available'],
    ]);
    expect(seen[3]).toMatchObject({
      extensionNumber: '103',
      state: 'not taking queue calls',
      acceptsQueueCalls: false,
    });
    expect(office.requests()).toContainEqual(expect.stringMatching(/^DELETE \/subscription\//));
    expect(office.sandbox.subscriptions()).toEqual([]);
  });

  it('shows a message that is set or removed, although the event does not contain it', async () => {
    const office = await openOffice();
    const { rows } = await watch(
      office,
      'queue watch Support',
      [
        () => office.run('presence set 103 --message "Back soon"'),
        () => office.run('presence set 103 --message ""'),
      ],
      { sleep: (_, signal) => delay(20, undefined, { signal }) },
    );
    const messages = rows.slice(3).map((row) => (JSON.parse(row) as { message?: string }).message ?? '');
    expect(messages).toEqual(['Back soon', '']);
  });

  it('exits without waiting if the subscription cannot be deleted now, and shows how to delete it', async () => {
    let deletions = 0;
    const office = await openOffice('administrator', (send) => async (request) => {
      const reply = await send(request.method === 'DELETE' ? { ...request, method: 'GET' } : request);
      if (request.method !== 'DELETE') return reply;
      deletions += 1;
      const header = (name: string) => (name.toLowerCase() === 'retry-after' ? '60' : reply.header(name));
      return { ...reply, status: 429, header };
    });
    // Waits are over at once here: a run that waited for the service would ask a second time.
    const sleep = (_: number, signal: AbortSignal): Promise<void> => delay(20, undefined, { signal });
    const { exit, stderr } = await watch(office, 'queue watch Support', [], { sleep });
    expect([exit, deletions]).toEqual([0, 1]);
    expect(stderr).toMatch(
      /could not delete subscription [-0-9a-f]+ .*; retry with: ucctl subscribe delete [-0-9a-f]+/,
    );
  });

  it('with -o json writes a line for each, like other live streams; with -o csv one table', async () => {
    const office = await openOffice();
    const stop = new AbortController();
    let seen = '';
    const onStdout = (text: string): void => {
      seen += text;
      if (seen.includes('104')) stop.abort(new Error('enough'));
    };
    const options = { signal: stop.signal, onStdout };
    const { exit, stdout } = await office.run('queue watch Support --poll -o json', options);
    expect(exit).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as Seen).extensionNumber)).toEqual(['102', '103', '104']);
    const csv = await watch(office, 'queue watch Support --poll -o csv', []);
    expect(csv.rows.slice(0, 2)).toEqual([
      expect.stringMatching(/^state,extensionNumber,name,/),
      expect.stringMatching(/^available,102,Dana Okafor,/),
    ]);
  });

  it('adds new members of the queue', async () => {
    const office = await openOffice();
    const { rows } = await watch(office, 'queue watch Support', [
      () => office.run('queue assign --queue 201 --add 106 --yes'),
    ]);
    expect(JSON.parse(rows[3] ?? '')).toMatchObject({ extensionNumber: '106', name: 'Mei Lin' });
  });

  it('shows a new name after 10 minutes, at the next event about members', async () => {
    const { office, rename, now } = await renamingOffice();
    const join = (): Promise<unknown> => {
      rename();
      return office.run('queue assign --queue 201 --add 106 --yes');
    };
    const { rows } = await watch(office, 'queue watch Support', [join], { now });
    const last = rows.slice(3).map((row) => JSON.parse(row) as Seen);
    expect(last).toContainEqual(expect.objectContaining({ extensionNumber: '102', name: 'Dana King' }));
  });

  it.each([{ NO_COLOR: '1' }, { TERM: 'dumb' }, {}])(
    'with %j on a terminal writes lines instead of a board',
    async (env) => {
      const office = await openOffice();
      const { rows } = await watch(office, 'queue watch Support --accessible', [], {
        terminal: 80,
        env,
      });
      expect(rows[0]).toMatch(/^\d\d:\d\d:\d\d  102  Dana Okafor: available$/);
    },
  );

  it('polls without a subscription', async () => {
    const office = await openOffice();
    const { rows } = await watch(office, 'queue watch Support --poll', []);
    expect(rows).toHaveLength(3);
    expect(office.requests().filter((line) => line.includes('subscription'))).toEqual([]);
  });
});

describe('a person whose presence cannot be read', () => {
  const failingService = (status: number) =>
    openOffice('administrator', (send) => async (request) => {
      const isHers = request.url.pathname.endsWith('/171857103/presence');
      if (!isHers) return send(request);
      return { ...(await send({ ...request, url: new URL('/restapi/v1.0/none', request.url) })), status };
    });

  it.each([
    [403, 'not visible to you'],
    [404, 'rejected'],
    [503, 'no response'],
  ])('is shown with the reason after a %i, with one warning', async (status, reason) => {
    const { rows, stderr } = await watch(
      await failingService(status),
      'queue watch Support --poll --interval 1 --retry 0',
      [],
    );
    const hers = rows.map((row) => JSON.parse(row) as Seen & { reason?: string });
    expect(hers.find(({ extensionNumber }) => extensionNumber === '103')).toMatchObject({
      state: 'unknown',
      reason,
    });
    expect(stderr.match(/^warning: José Álvarez: /gm)).toHaveLength(1);
  });

  it.each([
    ['CMN-408', 'not visible to you'],
    ['HTTP-403', 'no response'],
  ])('spec:ERROR-1: has a reason after a 403 with the code %s: %s', (errorCode, reason) => {
    const request = { method: 'GET', path: '/presence' };
    expect(reasonOf(new ApiError({ status: 403, errorCode, message: 'rejected', request }))).toBe(reason);
  });

  it('is distinguished from a person not read yet, and keeps the known state', () => {
    const board = new Board();
    board.setPeople([{ id: '1', extensionNumber: '101', name: 'Ann' }], 0);
    const line = () =>
      board.rows().map((row) => boardView({ format: 'table' }, () => 0).line?.(row, undefined));
    expect(line()).toEqual(['00:00:00  101  Ann: not read yet']);
    board.update('1', { presenceStatus: 'Available', telephonyStatus: 'NoCall' }, 0);
    board.markUnreadable('1', 'no response');
    expect(line()).toEqual(['00:00:00  101  Ann: available (no response)']);
    expect(board.markUnreadable('1', 'no response')).toBeUndefined();
    board.update('1', { presenceStatus: 'Available' }, 0);
    expect(line()).toEqual(['00:00:00  101  Ann: available']);
  });
});

it.each(['queue watch Support', 'presence watch 102 103 104'])(
  '%s -o json --watch streams the same lines as without --watch',
  async (line) => {
    const office = await openOffice();
    const seen = async (flag: string) => {
      const { rows, exit } = await watch(office, `${line} --poll -o json${flag}`, [], { terminal: 80 });
      expect(exit).toBe(0);
      return rows.map((row) => row.replace(/"since":"[^"]+"/u, ''));
    };
    expect(await seen(' --watch')).toEqual(await seen(''));
    expect(await seen(' -w')).toHaveLength(3);
  },
);

it.each([
  ['spec', '', [9600, 2400, 2400, 2400, 2400]],
  ['current', ' --dialect current', [12_000, 2400, 2400, 2400, 4800]],
] as const)(
  'spec:RATE-5 polls with half of the rate limit in dialect %s',
  async (dialect, flag, expected) => {
    const office = await openOffice('administrator', undefined, ':memory:', { dialect });
    const pauses: number[] = [];
    let time = Date.UTC(2026, 0, 5, 12);
    const stop = new AbortController();
    await office.run(`queue watch Support --poll --interval 1${flag}`, {
      now: () => time,
      sleep: (milliseconds, signal) => {
        // The timer that keeps the screen up to date.
        if (milliseconds % 2400 > 0) return delay(20, undefined, { signal });
        time += milliseconds;
        pauses.push(milliseconds);
        if (pauses.length === expected.length) stop.abort(new Error('enough'));
        return Promise.resolve();
      },
      signal: stop.signal,
    });
    expect(pauses.slice(0, expected.length)).toEqual(expected);
  },
);

describe('presence watch', () => {
  it('watches people by name', async () => {
    const office = await openOffice();
    const { rows, exit } = await watch(office, 'presence watch 102 mei.lin@example.com ~', [
      () => office.run('presence set 102 --user-status Offline'),
    ]);
    expect(exit).toBe(0);
    expect(JSON.parse(rows[3] ?? '')).toMatchObject({ extensionNumber: '102', state: 'offline' });
  });

  it('shows a new name after 10 minutes', async () => {
    const { office, rename, now } = await renamingOffice();
    const rows: string[] = [];
    const stop = new AbortController();
    await office.run('presence watch 102 103 --poll', {
      now,
      sleep: (_, signal) => delay(20, undefined, { signal }),
      signal: stop.signal,
      onStdout: (text) => {
        rows.push(...text.split('\n').filter((line) => line !== ''));
        if (rows.length === 2) rename();
        if (rows.length > 2) stop.abort(new Error('enough'));
      },
    });
    expect(JSON.parse(rows[2] ?? '')).toMatchObject({ extensionNumber: '102', name: 'Dana King' });
  });

  it('requires a person or queue', async () => {
    const { run } = await openOffice();
    expect((await run('presence watch')).exit).toBe(2);
  });
});

describe('the state on a board', () => {
  it.each<[PresenceFields, string]>([
    [{ presenceStatus: 'Available', telephonyStatus: 'NoCall', dndStatus: 'TakeAllCalls' }, 'available'],
    [{ presenceStatus: 'Busy', telephonyStatus: 'Ringing', dndStatus: 'DoNotAcceptAnyCalls' }, 'ringing'],
    [{ presenceStatus: 'Busy', telephonyStatus: 'OnHold' }, 'on a call'],
    [
      { presenceStatus: 'Available', telephonyStatus: 'NoCall', dndStatus: 'DoNotAcceptDepartmentCalls' },
      'not taking queue calls',
    ],
    [{ presenceStatus: 'Offline', telephonyStatus: 'NoCall', dndStatus: 'DoNotAcceptAnyCalls' }, 'offline'],
    [{ presenceStatus: 'Busy', telephonyStatus: 'NoCall', dndStatus: 'TakeDepartmentCallsOnly' }, 'busy'],
    [{ presenceStatus: 'Available', telephonyStatus: 'NoCall', dndStatus: 'Unknown' }, 'available'],
    [{}, 'unknown'],
  ])('of %j is %s', (fields, state) => expect(stateOf(fields)).toBe(state));
});
