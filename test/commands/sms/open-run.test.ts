import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import { openDatabase } from '../../../src/platform/sqlite.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { signInAs } from '../../support/sandbox.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { runUcctl, type RunOptions } from '../../support/run-ucctl.ts';
import { openLiveOffice } from '../live-office.ts';

const hour = 3_600_000;
const people = ['Ann', 'Bob', 'Eve', 'Kim', 'Lee', 'Max'];
const listOf = (names: readonly string[]) =>
  `to,name\n${names.map((name) => `+1650555${String(1000 + people.indexOf(name))},${name}\n`).join('')}`;
const send = (template = 'Hello {{name}}') =>
  ['sms', 'send', '-f', 'list.csv', '--template', template, '--from', '+16505550110', '--yes'] as const;

/** An office, a desk with a list, and Ctrl-C during a text. */
async function openDesk(
  names: readonly string[] = people,
  around: (send: HttpSend) => HttpSend = (one) => one,
) {
  let stopAt = Number.POSITIVE_INFINITY;
  let stop = new AbortController();
  let sent = 0;
  const interrupts =
    (inner: HttpSend): HttpSend =>
    (request) => {
      if (request.method === 'POST' && request.url.pathname.endsWith('/sms') && (sent += 1) === stopAt) {
        stop.abort(new Error('interrupted'));
      }
      return inner(request);
    };
  const office = await openLiveOffice('administrator', {}, (inner) => around(interrupts(inner)));
  const cwd = temporaryFolder();
  const list = (text: string): void => writeFileSync(join(cwd, 'list.csv'), text);
  list(listOf(names));
  const paths = temporaryPaths();
  const at: RunOptions = { cwd, paths };
  const texts = () => office.sandbox.messages(171_857_100).map(({ subject }) => subject ?? '');
  const run = (argv: readonly string[] | string, more: RunOptions = {}) =>
    office.run(argv, { ...at, ...more });
  return {
    run,
    list,
    cwd,
    paths,
    texts,
    office,
    read: (name: string) => readFileSync(join(cwd, name), 'utf8'),
    /** Sends the list and presses Ctrl-C during text number `count`; answers the run. */
    async breakAt(count: number, argv: readonly string[] = send()) {
      stop = new AbortController();
      stopAt = sent + count;
      const result = await run(argv, { signal: stop.signal });
      const [, id = ''] = /--resume (\S+)/.exec(result.stderr) ?? [];
      return { ...result, id };
    },
    requests: () => office.requests().filter((line) => line.startsWith('POST')),
    states: async () => (await run('history list --fields id,state')).stdout.trim().split('\n'),
  };
}

describe('a list of texts whose run is still open', () => {
  it('is named with the profile of the command', async () => {
    const desk = await openDesk();
    const profiles = { work: { baseUrl: desk.office.sandbox.url } };
    mkdirSync(desk.paths.config, { recursive: true, mode: 0o700 });
    writeFileSync(join(desk.paths.config, 'config.json'), JSON.stringify({ version: 1, profiles }), {
      mode: 0o600,
    });
    const { stderr, id } = await desk.breakAt(2, ['-p', 'work', ...send()]);
    expect(stderr).toContain(` left; resume the run: ucctl -p work sms send --resume ${id}\n`);
  });

  it('is named if the service rejected the first text, because the same command is blocked', async () => {
    const desk = await openDesk(['Ann', 'Bob']);
    const limited = { kind: 'status', status: 429, operation: 'sendSms', times: 0 };
    await desk.office.sandbox.control('POST', '/faults', limited);
    const { exit, stderr } = await desk.run([...send(), '--max-wait', '0']);
    const [, id = ''] = /--resume (\S+)/.exec(stderr) ?? [];
    expect([exit, desk.texts()]).toEqual([6, []]);
    expect(stderr).toContain(
      `warning: no text of this run was sent; resume the run: ucctl sms send --resume ${id}\n`,
    );
    await desk.office.sandbox.control('DELETE', '/faults');
    expect((await desk.run(send())).exit).toBe(11);
    expect((await desk.run(`sms send --resume ${id} --yes`)).exit).toBe(0);
    expect(desk.texts().toSorted()).toEqual(['Hello Ann', 'Hello Bob']);
  });

  it.each([
    ['the first text', 0, 6],
    ['a later text', 1, 8],
  ])(
    'is in the JSON error if the rate limit stopped %s, which the same command cannot retry',
    async (_, after, code) => {
      const desk = await openDesk(['Ann', 'Bob', 'Eve']);
      const limited = { kind: 'status', status: 429, operation: 'sendSms', times: 0, after };
      await desk.office.sandbox.control('POST', '/faults', limited);
      const error = ({ stderr }: { readonly stderr: string }): unknown =>
        (JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as { readonly error: unknown }).error;
      const argv = [...send(), '-o', 'json', '--max-wait', '0'];
      const stopped = await desk.run(argv);
      const [id = ''] = (await desk.states())[0]?.split('\t') ?? [];
      expect([stopped.exit, error(stopped)]).toMatchObject([code, { run: id, retryable: false }]);
      const json = async (words: string) =>
        JSON.parse((await desk.run(`${words} -o json`)).stdout) as unknown;
      const left = { status: 'not-made', code: 'rate_limited' };
      const statuses = [
        ...[{ status: 'ok' }].slice(0, after),
        left,
        { status: 'not-sent' },
        { status: 'not-sent' },
      ];
      expect(await json('history show last')).toMatchObject(statuses.slice(0, 3));
      expect(await json('history list')).toMatchObject([
        { counts: { ok: after, failed: 0, unknown: 0, left: 3 - after } },
      ]);
      const again = await desk.run(argv);
      expect([again.exit, error(again)]).toMatchObject([11, { code: 'run_open', run: id, retryable: false }]);
      const resumed = await desk.run(`sms send --resume ${id} --yes -o json --max-wait 0`);
      expect([resumed.exit, error(resumed)]).toMatchObject([code, { run: id, retryable: true }]);
    },
  );

  it.each([
    [400, 1],
    [403, 1],
    [404, 3],
  ])('stays open if another server, such as a sign-in page, answers with HTTP %i', async (status, code) => {
    let isOnline = false;
    const portal =
      (inner: HttpSend): HttpSend =>
      (request) => {
        const isSent = request.method === 'POST' && request.url.pathname.endsWith('/sms');
        return isSent && !isOnline ? Promise.resolve(fakeReply({ status, body: 'page' })) : inner(request);
      };
    const desk = await openDesk(['Ann', 'Bob'], portal);
    const { exit, stderr } = await desk.run(send());
    const [, id = ''] = /--resume (\S+)/.exec(stderr) ?? [];
    expect([exit, desk.texts()]).toEqual([code, []]);
    isOnline = true;
    expect((await desk.run(`sms send --resume ${id} --yes`)).exit).toBe(0);
    expect(desk.texts().toSorted()).toEqual(['Hello Ann', 'Hello Bob']);
  });

  it('is not sent again: exit 11 with the run to resume', async () => {
    const desk = await openDesk();
    const broken = await desk.breakAt(2);
    expect([broken.exit, desk.texts()]).toEqual([130, ['Hello Ann', 'Hello Bob']]);
    expect(broken.stderr).toContain(` left; resume the run: ucctl sms send --resume ${broken.id}\n`);
    desk.requests();
    for (const more of [[], ['--dry-run'], ['-q']]) {
      const again = await desk.run([...send(), ...more]);
      expect([again.exit, again.stdout, desk.requests()]).toEqual([11, '', []]);
      expect(again.stderr).toContain(`6 of 6 texts are in run ${broken.id}, which is not finished`);
      expect(again.stderr).toContain(`to resume the run: ucctl sms send --resume ${broken.id}`);
      expect(again.stderr).toContain('--new-run');
    }
    expect((await desk.run(`sms send --resume ${broken.id} --yes`)).exit).toBe(0);
    expect(desk.texts().toSorted()).toEqual(people.map((name) => `Hello ${name}`));
  });

  it('also if the list was edited, but one text of it is in the run', async () => {
    const desk = await openDesk(['Ann', 'Bob', 'Eve']);
    const { id } = await desk.breakAt(1);
    desk.list(listOf(['Kim', 'Eve']));
    const again = await desk.run(send());
    expect([again.exit, again.stderr]).toEqual([
      11,
      expect.stringContaining(`1 of 2 texts is in run ${id}, which is not finished`),
    ]);
    expect(desk.texts()).toEqual(['Hello Ann']);
  });

  it('does not stop other numbers, another text, or another profile', async () => {
    const desk = await openDesk(['Ann', 'Bob']);
    for (const name of ['one', 'other']) await runUcctl(`profile add ${name}`, { paths: desk.paths });
    const of = (profile: string, template?: string) => [...send(template), '--profile', profile];
    await desk.breakAt(1, of('one'));
    expect((await desk.run(of('one', 'Bye {{name}}'))).exit).toBe(0);
    desk.list(listOf(['Kim']));
    expect((await desk.run(of('one'))).exit).toBe(0);
    desk.list(listOf(['Ann', 'Bob']));
    expect((await desk.run(of('other'))).exit).toBe(0);
    expect((await desk.run(of('one'))).exit).toBe(11);
  });

  it('a finished run does not prevent a new one', async () => {
    const desk = await openDesk(['Ann']);
    expect([(await desk.run(send())).exit, (await desk.run(send())).exit]).toEqual([0, 0]);
    expect(desk.texts()).toHaveLength(2);
  });

  it('--new-run sends the list from the start and abandons the run, which cannot be resumed then', async () => {
    const desk = await openDesk(['Ann', 'Bob', 'Eve']);
    const { id } = await desk.breakAt(1);
    const fresh = await desk.run([...send(), '--new-run']);
    expect([fresh.exit, fresh.stderr]).toEqual([0, expect.stringContaining(`abandoned: ${id}\n`)]);
    expect(desk.texts()).toHaveLength(4);
    expect(await desk.states()).toEqual([expect.stringMatching(/\tdone$/), `${id}\tabandoned`]);
    const resumed = await desk.run(`sms send --resume ${id} --yes`);
    expect([resumed.exit, resumed.stderr]).toEqual([11, expect.stringContaining('was abandoned')]);
    expect(desk.texts()).toHaveLength(4);
    expect((await desk.run('sms send --resume last --new-run --yes')).exit).toBe(2);
    expect((await desk.run(['sms', 'send', '--to', '+16505551000', 'x', '--new-run', '--yes'])).exit).toBe(2);
  });

  it('--new-run creates no run if the open run cannot be abandoned', async () => {
    const desk = await openDesk(['Ann', 'Bob', 'Eve']);
    const { id } = await desk.breakAt(1);
    const journal = openDatabase(join(desk.paths.state, 'runs.db'));
    onTestFinished(() => journal.close());
    journal.exec(
      "CREATE TRIGGER broken BEFORE UPDATE ON run WHEN NEW.state = 'abandoned' BEGIN SELECT RAISE(ABORT, 'disk'); END",
    );
    expect(await desk.run([...send(), '--new-run'])).not.toMatchObject({ exit: 0 });
    expect([desk.texts(), await desk.states()]).toEqual([['Hello Ann'], [`${id}\topen`]]);
    journal.exec('DROP TRIGGER broken');
    expect(await desk.run([...send(), '--new-run'])).toMatchObject({ exit: 0 });
    expect(await desk.states()).toEqual([expect.stringMatching(/\tdone$/), `${id}\tabandoned`]);
  });

  it('with the same --dedupe-key it is sent again: the key sends nothing twice', async () => {
    const desk = await openDesk(['Ann', 'Bob', 'Eve']);
    await desk.breakAt(1, [...send(), '--dedupe-key', 'monday']);
    expect((await desk.run(send())).exit).toBe(11);
    expect((await desk.run([...send(), '--dedupe-key', 'tuesday'])).exit).toBe(11);
    expect((await desk.run([...send(), '--dedupe-key', 'monday'])).exit).toBe(0);
    expect(desk.texts().toSorted()).toEqual(['Hello Ann', 'Hello Bob', 'Hello Eve']);
  });

  it('with the same --dedupe-key it is blocked after a day, when the key no longer prevents a second send', async () => {
    const desk = await openDesk(['Ann', 'Bob', 'Eve']);
    await desk.breakAt(1, [...send(), '--dedupe-key', 'monday']);
    const later = Date.now() + 25 * hour;
    const again = await desk.run([...send(), '--dedupe-key', 'monday'], { now: () => later });
    expect([again.exit, again.stderr]).toEqual([11, expect.stringContaining('--resume')]);
  });

  it('does not send again what another run with the same --dedupe-key has sent, also if it is resumed after a day', async () => {
    const desk = await openDesk(['Ann', 'Bob', 'Eve']);
    const { id } = await desk.breakAt(1, [...send(), '--dedupe-key', 'monday']);
    expect((await desk.run([...send(), '--dedupe-key', 'monday'])).exit).toBe(0);
    expect(desk.texts()).toHaveLength(3);
    const { sandbox } = desk.office;
    const later = sandbox.clock.now() + 25 * hour;
    const shown = await desk.run(`sms send --resume ${id} --dry-run`, { now: () => later });
    expect([shown.exit, shown.stdout]).toEqual([0, '']);
    const resumed = await desk.run(`sms send --resume ${id} --yes`, { now: () => later });
    expect([resumed.exit, desk.texts().length]).toEqual([0, 3]);
    expect(resumed.stdout.match(/duplicate/g)).toHaveLength(2);
    // A list that is sent under the key after a day is another list, if the clock of the service agrees.
    const fresh = [...send(), '--dedupe-key', 'monday'];
    expect((await desk.run(fresh, { now: () => later })).stdout.match(/duplicate/g)).toHaveLength(3);
    await sandbox.clock.advance(25 * hour);
    const env = { UCCTL_BASE_URL: sandbox.url, UCCTL_TOKEN: await signInAs(sandbox, 'administrator') };
    expect([(await desk.run(fresh, { env })).exit, desk.texts().length]).toEqual([0, 6]);
  });

  it('does not send again what another run with the same --dedupe-key has sent more than a day ago', async () => {
    const desk = await openDesk(['Ann', 'Bob', 'Eve']);
    const { id } = await desk.breakAt(1, [...send(), '--dedupe-key', 'monday']);
    expect((await desk.run([...send(), '--dedupe-key', 'monday'])).exit).toBe(0);
    const { sandbox } = desk.office;
    await sandbox.clock.advance(50 * hour);
    const env = { UCCTL_BASE_URL: sandbox.url, UCCTL_TOKEN: await signInAs(sandbox, 'administrator') };
    const shown = await desk.run(`sms send --resume ${id} --dry-run`, { env });
    expect([shown.exit, shown.stdout]).toEqual([0, '']);
    const resumed = await desk.run(`sms send --resume ${id} --yes`, { env });
    expect([resumed.exit, desk.texts().length]).toEqual([0, 3]);
    expect(resumed.stdout.match(/duplicate/g)).toHaveLength(2);
  });

  it('two concurrent runs of the same command: one sends, the other exits with 11', async () => {
    const desk = await openDesk();
    const ended = await Promise.all([desk.run(send()), desk.run(send()), desk.run([...send(), '--new-run'])]);
    expect(ended.map(({ exit }) => exit).toSorted((a, b) => a - b)).toEqual([0, 11, 11]);
    expect(desk.texts().toSorted()).toEqual(people.map((name) => `Hello ${name}`));
  });

  it('--resume last is the newest open run, or the newest run if none is open', async () => {
    const desk = await openDesk(['Ann', 'Bob', 'Eve']);
    const { id } = await desk.breakAt(1);
    desk.list(listOf(['Kim']));
    expect((await desk.run(send())).exit).toBe(0);
    await desk.run('presence set 102 103 --user-status Busy --yes');
    const resumed = await desk.run('sms send --resume last --yes');
    expect([resumed.exit, resumed.stderr]).toEqual([0, expect.stringContaining(`run ${id}: 2 texts left`)]);
    expect(desk.texts()).toHaveLength(4);
    const nothing = await desk.run('sms send --resume last --yes');
    expect([nothing.exit, desk.texts().length]).toEqual([0, 4]);
    // No run is open: the newest is the list of one text.
    expect(nothing.stderr).toMatch(/^run \S+ has no remaining changes: /);
    expect(await desk.run('sms send --resume last --dry-run -o json')).toMatchObject({
      exit: 0,
      stdout: '[]\n',
    });
  });

  it('asks for confirmation before it resumes', async () => {
    const desk = await openDesk(['Ann', 'Bob', 'Eve']);
    const { id } = await desk.breakAt(1);
    const asked = await desk.run('sms send --resume last');
    expect([asked.exit, asked.stderr]).toEqual([
      9,
      expect.stringContaining(`Resume run ${id} (2 texts left)?`),
    ]);
    const fresh = await desk.run([...send().slice(0, -1), '--new-run']);
    expect([fresh.exit, fresh.stderr]).toEqual([
      9,
      expect.stringContaining('Send 3 texts from +16505550110 to 3 numbers?'),
    ]);
    expect(await desk.states()).toEqual([`${id}\topen`]);
  });
});

describe('a list of texts that was already sent', () => {
  const warning = (count: number, total: number) =>
    new RegExp(`warning: run \\S+ sent ${count} of ${total} texts of this list less than a minute ago`);

  it('is sent again with a warning before the question, which names the run and --dedupe-key', async () => {
    const desk = await openDesk(['Ann', 'Bob']);
    const first = await desk.run(send());
    expect([first.exit, first.stderr]).toEqual([0, expect.not.stringContaining('of this list')]);
    const asked = await desk.run(send().slice(0, -1));
    expect(asked.stderr).toMatch(warning(2, 2));
    expect(asked.stderr.indexOf('warning:')).toBeLessThan(asked.stderr.indexOf('Send 2 texts'));
    const again = await desk.run(send());
    expect([again.exit, desk.texts().length]).toEqual([0, 4]);
    expect(again.stderr).toMatch(warning(2, 2));
    expect(again.stderr).toContain('use the same --dedupe-key each time');
    const third = await desk.run(send());
    expect(third.stderr).toContain(', and 1 other run also sent some of these texts.');
  });

  it('names only the texts that are in both lists', async () => {
    const desk = await openDesk(['Ann', 'Bob']);
    await desk.run(send());
    desk.list(listOf(['Bob', 'Eve', 'Kim']));
    expect((await desk.run(send())).stderr).toMatch(warning(1, 3));
    expect((await desk.run(send('Bye {{name}}'))).stderr).not.toContain('of this list');
  });

  it('has no warning with its dedupe key, with --new-run or after a day', async () => {
    const desk = await openDesk(['Ann', 'Bob']);
    const keyed = [...send(), '--dedupe-key', 'monday'];
    await desk.run(keyed);
    expect((await desk.run(keyed)).stderr).not.toContain('of this list');
    expect((await desk.run([...send(), '--new-run'])).stderr).not.toContain('of this list');
    expect((await desk.run([...send(), '--dedupe-key', 'tuesday'])).stderr).toMatch(warning(2, 2));
    const later = { now: desk.office.sandbox.clock.now() + 25 * hour };
    expect((await desk.run(send(), later)).stderr).not.toContain('of this list');
  });

  it('has a warning only about the texts that its dedupe key does not prevent', async () => {
    const desk = await openDesk(['Ann', 'Bob']);
    const keyed = [...send(), '--dedupe-key', 'monday'];
    await desk.run(send());
    desk.list(listOf(['Ann']));
    await desk.run(keyed);
    desk.list(listOf(['Ann', 'Bob']));
    expect((await desk.run(keyed)).stderr).toMatch(warning(1, 2));
    expect((await desk.run(keyed)).stderr).not.toContain('of this list');
    expect(desk.texts().length).toBe(4);
  });
});

describe('the results file of a run of texts', () => {
  const statuses = (text: string) =>
    text
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',').slice(1, 3).join(' '));

  it('exists from the first text on, and resuming updates it without --results', async () => {
    const desk = await openDesk(['Ann', 'Bob', 'Eve']);
    const seen: (readonly string[])[] = [];
    const file = join(desk.cwd, 'done.csv');
    const broken = await desk.breakAt(2, [...send(), '--results', 'done.csv']);
    expect(broken.exit).toBe(130);
    seen.push(statuses(desk.read('done.csv')));
    expect(seen).toEqual([['Ann sent', 'Bob sent', 'Eve not-sent']]);
    expect(existsSync(file)).toBe(true);
    expect((await desk.run('sms send --resume last --yes', { cwd: temporaryFolder() })).exit).toBe(0);
    expect(statuses(desk.read('done.csv'))).toEqual(['Ann sent', 'Bob sent', 'Eve sent']);
  });
});
