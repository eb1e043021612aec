import { fullTime } from '../../../src/platform/moment.ts';
import { describe, expect, it } from 'vitest';
import type { CallLogRecord } from '../../../src/contract/call-log.ts';
import { buildClient, type HttpSend } from '../../../src/client/index.ts';
import { plainSettings } from '../../support/fake-service.ts';
import { sandboxHttp, signInAs } from '../../support/sandbox.ts';
import { readKnownValues } from '../../../src/platform/known-values.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { openOffice, sharedOffice } from '../office.ts';

const center = sharedOffice({ fixture: 'call-center' });
/** Later than all of the month of calls. */
const at = Date.UTC(2026, 0, 5, 9);
const parse = (text: string): readonly CallLogRecord[] => JSON.parse(text) as CallLogRecord[];

describe('calllog list', () => {
  it('spec:CALL-18 streams any number of pages, latest first, dates with an offset', async () => {
    const queries: URLSearchParams[] = [];
    const { run, requests } = await openOffice(
      undefined,
      (send) => (request) => {
        queries.push(request.url.searchParams);
        return send(request);
      },
      undefined,
      { fixture: 'call-center' },
    );
    const { stdout, exit, stderr } = await run('calllog list --all --since 30d --tz Europe/Paris -o ndjson', {
      now: at,
    });
    expect([exit, stderr]).toEqual([0, '']);
    const records = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as CallLogRecord);
    expect(records.length).toBeGreaterThan(1000);
    expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
    const times = records.map(({ startTime }) => startTime);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(requests().length).toBeGreaterThan(1);
    expect(queries[0]?.get('dateFrom')).toBe('2025-12-06T10:00:00.000+01:00');
    // Each request continues at the last call of the previous reply, so that deleted calls hide no others.
    expect(queries.map((query) => query.get('page'))).toEqual(queries.map(() => '1'));
    const ends = queries.slice(1).map((query) => Date.parse(query.get('dateTo') ?? ''));
    expect(ends).toEqual(ends.toSorted((one, other) => other - one));
    expect(new Set(ends).size).toBe(ends.length);
    expect(queries.length).toBe(Math.ceil(records.length / 1000));
  });

  it('stops at 100 with a warning; --limit and --all change the number', async () => {
    const { run } = await center();
    const few = await run('calllog list --since 30d', { now: at });
    expect(few.stdout.trimEnd().split('\n')).toHaveLength(100);
    expect(few.stderr).toContain('only the first 100 records; use --limit N or --all for more');
    const quiet = await run('calllog list --since 30d -q -o json', { now: at });
    expect(quiet.stderr).toMatch(/^warning: showing only the first 100 records; [^\n]*\n$/);
    // The user knows a limit of the command line.
    expect((await run('calllog list --since 30d -L 7 -q -o json', { now: at })).stderr).toBe('');
    const seven = await run('calllog list --since 30d -L 7 -o json', { now: at });
    expect(parse(seven.stdout)).toHaveLength(7);
    const none = await run('calllog list --since 1h -L 7', { now: at });
    expect(none).toEqual({ exit: 0, stdout: '', stderr: '' });
  });

  it('reads the queues again when its list of them is a day old, and leaves the list of agents', async () => {
    const { run, requests } = await center();
    const paths = temporaryPaths();
    const readsQueues = async (now: number): Promise<boolean> => {
      requests();
      expect(await run('calllog list --since 60d', { now, paths, terminal: 120 })).toMatchObject({ exit: 0 });
      return requests().includes('GET /account/~/extension');
    };
    await run('agent list', { now: at, paths });
    expect(await readsQueues(at)).toBe(true);
    expect(await readsQueues(at + 86_399_999)).toBe(false);
    expect(await readsQueues(at + 86_400_000)).toBe(true);
    expect(await readsQueues(at + 86_400_001)).toBe(false);
    const profile = { profile: 'default', origin: new URL((await center()).sandbox.url).origin };
    expect(readKnownValues(paths.cache, profile)['agents']?.length).toBeGreaterThan(0);
  });

  it('spec:CALL-15 sends --phone without +, from any notation', async () => {
    const queries: URLSearchParams[] = [];
    const { run } = await openOffice(undefined, (send) => (request) => {
      queries.push(request.url.searchParams);
      return send(request);
    });
    for (const typed of ['+14155550142', '+1 (415) 555-0142', '12345']) {
      expect((await run(['calllog', 'list', '--phone', typed], { now: at })).exit).toBe(0);
    }
    const sent = queries.map((query) => query.get('phoneNumber'));
    expect(sent).toEqual(['14155550142', '14155550142', '12345']);
    const { exit, stderr } = await run('calllog list --phone 102', { now: at });
    expect([exit, stderr]).toEqual([2, expect.stringContaining('calllog list --extension-number 102')]);
  });

  it('spec:CLIENT-24 sends every filter, also types that are not listed', async () => {
    const { run } = await center();
    const base = 'calllog list --since 30d -o json';
    const cases: readonly (readonly [string, (record: CallLogRecord) => boolean])[] = [
      ['--direction Outbound', ({ direction }) => direction === 'Outbound'],
      ['--type Fax', ({ type }) => type === 'Fax'],
      ['--recording-type All', ({ recording }) => recording !== undefined],
      ['--recording-type OnDemand', ({ recording }) => recording?.type === 'OnDemand'],
      ['--no-with-recording', ({ recording }) => recording === undefined],
    ];
    for (const [flags, fits] of cases) {
      const records = parse((await run(`${base} ${flags}`, { now: at })).stdout);
      expect([flags, records.length > 0, records.every(fits)]).toEqual([flags, true, true]);
    }
    // The service ignores withRecording=false, so ucctl selects these calls itself.
    const plain = await run(`${base} --no-with-recording -L 3`, { now: at });
    expect(parse(plain.stdout)).toHaveLength(3);
    expect(plain.stderr).toContain('only the first 3 records');
    expect((await run(`${base} --type SMS`, { now: at })).stdout).toBe('[]\n');
    const [any] = parse((await run(`${base} -L 1`, { now: at })).stdout);
    const session = await run(`calllog list --session ${any?.sessionId} -o json`, { now: at });
    expect(parse(session.stdout).every(({ sessionId }) => sessionId === any?.sessionId)).toBe(true);
    const telephony = await run(
      `calllog list --telephony-session ${any?.telephonySessionId} --show-deleted -o json`,
      { now: at },
    );
    expect(parse(telephony.stdout).length).toBeGreaterThan(0);
    // A type that no enumeration has goes to the service, which says no.
    expect((await run(`${base} --type Video`, { now: at })).exit).toBe(1);
  });

  it('reads days and shows times in the zone of the setting tz, unless --tz selects another', async () => {
    const starts: (string | null)[] = [];
    const { run } = await openOffice('administrator', (send) => (request) => {
      if (request.url.pathname.endsWith('/call-log')) starts.push(request.url.searchParams.get('dateFrom'));
      return send(request);
    });
    const paths = temporaryPaths();
    await run('config set tz Asia/Tokyo', { paths, nouns: undefined });
    const line = 'calllog list --since 2026-01-04';
    await run(line, { now: at, paths });
    await run(line, { now: at, paths, env: { UCCTL_TZ: 'Europe/Paris' } });
    await run(`${line} --tz America/New_York`, { now: at, paths });
    const day = '2026-01-04T00:00:00.000';
    expect(starts).toEqual([`${day}+09:00`, `${day}+01:00`, `${day}-05:00`]);
  });

  it.each(['csv', 'tsv', 'json', 'yaml'])('rejects a mistyped path of --fields in %s', async (format) => {
    const { run } = await center();
    const line = `calllog list --since 30d -L 1 -o ${format} --fields startTime`;
    const { exit, stdout, stderr } = await run(`${line},from.phonenumber`, { now: at });
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/unknown field .*from\.phonenumber/);
    expect(stderr).toContain('did you mean from.phoneNumber?');
    expect((await run(`${line},from.phoneNumber,from.location,legs.0.to.name`, { now: at })).exit).toBe(0);
  });

  it('spec:CALL-17 filters by network and by blocked calls only in the call log of an extension', async () => {
    const agent = await openOffice('102', undefined, undefined, { fixture: 'call-center' });
    const own = 'calllog list --since 30d --extension ~ --view Detailed --no-show-blocked -o json';
    const all = parse((await agent.run(own, { now: at })).stdout);
    const internet = parse((await agent.run(`${own} --transport VoIP`, { now: at })).stdout);
    expect(internet).toEqual(all.filter(({ transport }) => transport === 'VoIP'));
    expect(internet.length).toBeGreaterThan(0);
    const { run, requests } = await center();
    for (const flags of ['--transport VoIP,PSTN', '--no-show-blocked']) {
      const { exit, stdout, stderr } = await run(`calllog list ${flags}`, { now: at });
      expect([exit, stdout, requests()]).toEqual([2, '', []]);
      expect(stderr).toContain(`${flags.split(' ')[0]} needs --extension`);
      expect(stderr).toContain(`ucctl calllog list --extension ~ ${flags}`);
    }
    expect((await run('calllog list --show-blocked -L 1', { now: at })).exit).toBe(0);
  });

  it('--result selects records by result, without regard to case, up to the limit', async () => {
    const { run } = await center();
    // Some days, because each of these runs reads all calls of the time.
    const base = 'calllog list --since 4d --all -o json';
    const all = parse((await run(base, { now: at })).stdout);
    const missed = parse((await run(`${base} --result missed,Accepted`, { now: at })).stdout);
    expect(missed).toEqual(all.filter(({ result }) => result === 'Missed' || result === 'Accepted'));
    expect(new Set(missed.map(({ result }) => result))).toEqual(new Set(['Missed', 'Accepted']));
    const few = await run('calllog list --since 4d --result Missed -L 2 -o json', { now: at });
    expect(parse(few.stdout)).toEqual(all.filter(({ result }) => result === 'Missed').slice(0, 2));
    expect(few.stderr).toContain('only the first 2 records');
    const wrong = await run(`${base} --result Mised`, { now: at });
    expect([wrong.exit, wrong.stdout]).toEqual([0, '[]\n']);
    expect(wrong.stderr).toBe(
      'warning: --result: "Mised" is not a known result of a call; did you mean "Missed"?\n',
    );
  });

  it.each([
    ['--since 2025-01-01 --until 2025-01-02', '2025-01-01 00:00:00 to 2025-01-02 00:00:00 (UTC)'],
    [
      '--since 2025-01-01 --until 2025-01-02 --tz Asia/Tokyo',
      '2025-01-01 00:00:00 to 2025-01-02 00:00:00 (Asia/Tokyo)',
    ],
    ['--until 2025-01-02', 'before 2025-01-02 00:00:00 (UTC)'],
  ])('names the time range of %s if there are no calls', async (range, shown) => {
    const { run } = await openOffice();
    const { stdout, stderr } = await run(`calllog list ${range}`, { terminal: 120 });
    expect(`${stdout}${stderr}`).toContain(`No calls. Time range: ${shown}.`);
    expect((await run(`calllog list ${range} -o json`)).stdout).toBe('[]\n');
  });

  it('names the start of the time range if there are no voicemails', async () => {
    const { run } = await openOffice();
    const { stdout, stderr } = await run('voicemail list --since 2026-01-05T08:59:59Z', { terminal: 120 });
    expect(`${stdout}${stderr}`).toContain('Time range: since 2026-01-05 08:59:59 (UTC).');
  });

  it('--result selects whole calls in a table', async () => {
    const { run } = await center();
    const table = await run('calllog list --since 2d --result Missed --color never -L 4', {
      terminal: 200,
      now: at,
    });
    const [head = '', ...rows] = table.stdout.trimEnd().split('\n');
    const column = head.indexOf('RESULT');
    expect(rows.map((row) => row.slice(column).split('  ')[0]?.trim())).toEqual(Array(4).fill('Missed'));
    expect(table.stderr).toContain('only the first 4 calls');
  });

  it('explains a 403 to a user who is not an administrator, and suggests what works', async () => {
    const { run } = await openOffice('102');
    const { exit, stderr, stdout } = await run('calllog list');
    expect([exit, stdout]).toEqual([5, '']);
    expect(stderr).toContain('need:    permission ReadCompanyCallLog');
    expect(stderr).toContain('ucctl calllog list --extension ~');
    expect((await run('calllog list --extension ~')).exit).toBe(0);
    expect((await run('calllog active')).stderr).toContain('ucctl calllog active --extension ~');
    expect((await run('calllog show 1')).stderr).toContain('ucctl calllog show --extension ~');
  });

  it('shows time, type, both parties and result on every terminal, and names the hidden columns', async () => {
    const { run } = await center();
    for (const terminal of [40, 80, 120]) {
      const { stdout, stderr } = await run('calllog list --since 30d -L 3 --color never', {
        terminal,
        now: at,
      });
      const [head = '', ...rows] = stdout.trimEnd().split('\n');
      expect(head).toMatch(/^TIME .*TYPE +FROM/);
      // On 40 columns, the called party and the result are below the row.
      const isShown =
        terminal === 40 ? rows.filter((row) => row.startsWith('  → ')).length === 3 : /TO +RESULT/.test(head);
      expect(isShown).toBe(true);
      expect(stderr).toMatch(/columns? hidden:[^]*; use\s/);
      expect(rows.every((row) => row.length <= terminal)).toBe(true);
      // A call has an external number or an extension; no number is cut.
      expect(stdout).not.toMatch(/\+1[\d ]*…/);
    }
  });

  it('shows one row for a call that rang a queue and its agents, as the statistics count it', async () => {
    const { run, sandbox } = await openOffice();
    await sandbox.control('PATCH', '/settings', { callProgression: 'manual' });
    await sandbox.control('POST', '/triggers/call', { from: '+16505550147', to: '201' });
    await sandbox.control('POST', '/phones/102/answer', {});
    await sandbox.control('POST', '/phones/102/hangup', {});
    const table = await run('calllog list --color never', { terminal: 120 });
    expect(table.stdout.trimEnd().split('\n')).toHaveLength(2);
    expect(table.stdout).toMatch(/Support → (Dana Okafor \(102\)|José Álvarez \(103\)) +Accepted/);
    const json = parse((await run('calllog list -o json')).stdout);
    expect(json.length).toBeGreaterThan(1);
    const [{ sessionId } = {}] = json as readonly { readonly sessionId?: string }[];
    expect(table.stderr).toContain(
      `1 call has records from several extensions; to show the records: ucctl calllog show ${sessionId ?? ''}\n`,
    );
    const stats = JSON.parse((await run('calllog stats -o json')).stdout) as { totals: { calls: number } };
    expect(stats.totals.calls).toBe(1);
  });

  it('counts a call in the period in which it started, also if the phone of an agent rang later', async () => {
    const { run, sandbox } = await openOffice();
    await sandbox.control('PATCH', '/settings', { callProgression: 'manual' });
    const start = sandbox.clock.now();
    await sandbox.control('POST', '/triggers/call', { from: '+16505550147', to: '201' });
    await sandbox.clock.advance(30_000);
    await sandbox.control('POST', '/phones/102/reject', {});
    await sandbox.clock.advance(30_000);
    await sandbox.control('POST', '/phones/+16505550147/hangup', {});
    const countedIn = async (from: number, to: number): Promise<readonly [number, number]> => {
      const [since, until] = [from, to].map((time) => new Date(time).toISOString());
      const { stdout } = await run(`calllog stats --since ${since} --until ${until} -o json`);
      const { totals, byAgent } = JSON.parse(stdout) as {
        readonly totals: { readonly calls: number };
        readonly byAgent: readonly { readonly inbound: number }[];
      };
      return [totals.calls, byAgent.reduce((sum, { inbound }) => sum + inbound, 0)];
    };
    const hour = 3_600_000;
    const whole = await countedIn(start, start + hour);
    expect(whole).toEqual([1, expect.toSatisfy((records: number) => records > 1)]);
    expect(await countedIn(start - hour, start + 1000)).toEqual(whole);
    expect(await countedIn(start + 1000, start + hour)).toEqual([0, 0]);
    expect(await countedIn(start - hour, start)).toEqual([0, 0]);
  });

  it('names the sessions of several calls with records from several extensions', async () => {
    const { run, sandbox } = await openOffice();
    await sandbox.control('PATCH', '/settings', { callProgression: 'manual' });
    for (let call = 0; call < 4; call += 1) {
      await sandbox.control('POST', '/triggers/call', { from: '+16505550147', to: '201' });
      await sandbox.control('POST', '/phones/+16505550147/hangup', {});
    }
    const { stderr } = await run('calllog list --color never', { terminal: 120 });
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(
      /4 calls \(sessions (\d+), \d+, \d+ and 1 more\) have records .* of the first call: ucctl calllog show \1 /,
    );
  });

  it('accepts the home folder, which shells substitute for ~, as ~', async () => {
    const { run } = await openOffice('102');
    // A run with paths of its own has /nonexistent for its home.
    const paths = temporaryPaths();
    const { exit, stdout } = await run(['calllog', 'list', '--extension', '/nonexistent', '-o', 'json'], {
      paths,
    });
    expect([exit, stdout]).toEqual([0, (await run('calllog list --extension ~ -o json')).stdout]);
  });

  it('spec:CLIENT-24 explains that an extension gives its records to its own user only', async () => {
    const { run } = await openOffice();
    const { exit, stderr } = await run('calllog list --extension 102');
    expect(exit).toBe(5);
    expect(stderr).toContain('only to its own user, not to administrators');
    expect(stderr).toContain('--extension-number');
  });

  it('accepts --until without --since, also before 1970', async () => {
    const { run } = await openOffice();
    expect(await run('calllog list --until 1969-12-31 -o json')).toMatchObject({ exit: 0, stdout: '[]\n' });
  });

  it.each([
    ['--since someday', '--since: "someday" is not a valid time'],
    ['--since 999999999d', '--since: "999999999d" is not a valid time'],
    ['--since 1M', 'write 1 minute as 1m; for 1 month, use 30d or a date'],
    ['--since today --until yesterday', '--since is later than --until'],
    ['--since today --until today', '--since and --until are the same time, so the range is empty'],
    ['--since 1d --tz Mars/Base', 'unknown time zone "Mars/Base"'],
    ['--session 1 --since 1d', 'cannot be used together'],
  ])('rejects %s before anything is sent', async (flags, message) => {
    const { run, requests } = await openOffice();
    const { exit, stderr } = await run(`calllog list ${flags}`);
    expect(exit).toBe(2);
    expect(stderr).toContain(message);
    expect(requests()).toEqual([]);
  });
});

describe('calllog show', () => {
  it('draws the legs of a call on a time axis', async () => {
    const { run } = await center();
    const records = parse(
      (await run('calllog list --since 30d --view Detailed -o json', { now: at })).stdout,
    );
    const hunted = records.find(({ legs }) => (legs?.length ?? 0) > 2);
    const { stdout, exit } = await run(`calllog show ${hunted?.id} --color never`, { terminal: 120 });
    expect(exit).toBe(0);
    expect(stdout).toContain(`session ${hunted?.sessionId}  record ${hunted?.id}`);
    expect(stdout).toContain('Missed');
    expect(stdout.split('\n').filter((line) => line.includes('█'))).toHaveLength(hunted?.legs?.length ?? 0);
    const narrow = await run(`calllog show ${hunted?.id} --color never`, { terminal: 72 });
    const legs = narrow.stdout.split('\n').filter((line) => line.includes('█'));
    expect([legs.length, legs.filter((line) => line.length > 72)]).toEqual([hunted?.legs?.length, []]);
    const abroad = await run(`calllog show ${hunted?.id} --tz Asia/Tokyo`, { terminal: 120 });
    expect(abroad.stdout).toContain(fullTime(String(hunted?.startTime), 'Asia/Tokyo'));
    expect(abroad.stdout).not.toContain(hunted?.startTime);
  });

  it('reports a value that cannot be an id as not found', async () => {
    const { run } = await center();
    const { exit, stderr } = await run('calllog show nope');
    expect([exit, stderr]).toEqual([3, expect.stringContaining('call nope not found')]);
  });

  it('accepts several ids, also of sessions, and reports those not found', async () => {
    const { run, requests } = await center();
    const all = parse((await run('calllog list --since 30d -o json', { now: at })).stdout);
    const [a, b] = all;
    requests();
    const found = await run(`calllog show ${a?.id} ${b?.id} -o json`);
    expect(parse(found.stdout).map(({ id }) => id)).toEqual([a?.id, b?.id]);
    expect(requests()).toHaveLength(1);
    const session = await run(`calllog show ${a?.sessionId} -o ndjson`);
    expect(session.stdout).toContain(`"sessionId":"${a?.sessionId}"`);
    const partly = await run(`calllog show ${a?.id} 999999999999`);
    expect(partly.exit).toBe(8);
    expect(partly.stderr).toContain('call 999999999999 not found');
    expect((await run('calllog show 999999999999')).exit).toBe(3);
    const malformed = await run(`calllog show ${a?.id} nope ${b?.id} -o json`);
    expect([malformed.exit, malformed.stderr]).toEqual([8, expect.stringContaining('call nope not found')]);
    expect(parse(malformed.stdout).map(({ id }) => id)).toEqual([a?.id, b?.id]);
    const telephony = await run(`calllog show ${a?.telephonySessionId} -o ndjson`);
    expect([telephony.exit, telephony.stdout]).toEqual([0, session.stdout]);
  });

  it('spec:CALL-13 finds an old call by its telephony session', async () => {
    const { run } = await center();
    const old = parse((await run('calllog list --since 30d --all -o json', { now: at })).stdout).at(-1);
    expect(Date.parse(old?.startTime ?? '')).toBeLessThan(at - 20 * 86_400_000);
    const { telephonySessionId = '' } = old ?? {};
    for (const command of [`show ${telephonySessionId}`, `list --telephony-session ${telephonySessionId}`]) {
      const { stdout } = await run(`calllog ${command} -o ndjson`, { now: at });
      expect([command, stdout]).toEqual([command, expect.stringContaining(`"id":"${String(old?.id)}"`)]);
    }
  });
});

describe('calllog active', () => {
  /** An office with a call that goes on. */
  async function onThePhone() {
    const office = await openOffice(undefined, undefined, undefined, {
      settings: { callProgression: 'immediate' },
    });
    const headers = {
      authorization: `Bearer ${await signInAs(office.sandbox, 'administrator')}`,
      'content-type': 'application/json',
    };
    const body = JSON.stringify({ to: { phoneNumber: '+14155550199' }, playPrompt: false });
    const url = `${office.sandbox.url}/restapi/v1.0/account/~/extension/~/ringout`;
    const reply = await office.sandbox.fetch(new Request(url, { method: 'POST', headers, body }));
    expect(reply.status).toBe(200);
    return office;
  }

  it('spec:CLIENT-23 filters the reply itself if the service ignores filters', async () => {
    const { run, requests } = await onThePhone();
    const all = parse((await run('calllog active -o json')).stdout);
    expect(all.map(({ result }) => result)).toEqual(['In Progress']);
    requests();
    const outbound = await run([
      'calllog',
      'active',
      '--direction',
      'Outbound',
      '--phone',
      '+1 415 555 0199',
      '-o',
      'json',
    ]);
    expect(parse(outbound.stdout)).toEqual(all);
    expect((await run('calllog active --direction Inbound')).stdout).toBe('');
    expect((await run('calllog active --extension-number 999 --type Fax')).stdout).toBe('');
    expect(requests()).toEqual(Array.from({ length: 3 }, () => 'GET /account/~/active-calls'));
    expect((await run('calllog active --view Detailed')).exit).toBe(2);
  });

  it.each([
    ['spec', 1],
    ['current', 2],
  ] as const)('lists every call of more than one page, dialect %s', async (dialect, requests) => {
    const count = 101;
    const office = await openOffice(undefined, undefined, undefined, {
      dialect,
      settings: { callProgression: 'immediate', callTalkMilliseconds: 600_000 },
    });
    const { sandbox } = office;
    const token = await signInAs(sandbox, 'administrator');
    const segment = dialect === 'spec' ? 'ringout' : 'ring-out';
    for (let index = 0; index < count; index += 1) {
      const url = `${sandbox.url}/restapi/v1.0/account/~/extension/~/${segment}`;
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ to: { phoneNumber: '+14155550199' } });
      const reply = await sandbox.fetch(new Request(url, { method: 'POST', headers, body }));
      expect(reply.status).toBe(200);
    }
    const sent: string[] = [];
    const http: HttpSend = (request) => {
      sent.push(request.url.search);
      return sandboxHttp(sandbox)(request);
    };
    const all = parse((await office.run('calllog active -o json')).stdout);
    expect(new Set(all.map(({ id }) => id)).size).toBe(count);
    const client = buildClient({
      ...plainSettings,
      baseUrl: new URL(sandbox.url),
      tokens: { current: () => Promise.resolve(token), renew: () => Promise.reject(new Error('unexpected')) },
      http,
    });
    expect(await client.callLog.active('account', {}, { perPage: 100 })).toHaveLength(count);
    expect(sent).toHaveLength(requests);
  });

  it('spec:CLIENT-23 explains that ringing calls are absent and ended ones remain for a while', async () => {
    const { run } = await openOffice();
    const { stderr } = await run('calllog active', { terminal: 120 });
    expect(stderr).toContain('ringing calls are not included; ended calls stay for about 120 s');
  });

  it('spec:CLIENT-23 watches until Ctrl-C, within the limit of the heavy group', async () => {
    const { run, requests } = await onThePhone();
    const end = new AbortController();
    const watching = await run('calllog active --watch', {
      signal: end.signal,
      onStdout: () => end.abort(),
    });
    expect(JSON.parse(watching.stdout)).toMatchObject({ result: 'In Progress' });
    expect(requests()).toHaveLength(1);
    expect((await run('calllog active --watch --interval 2s')).stderr).toContain('6s to 1h');
  });
});
