import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ConnectionError, type HttpSend } from '../../../src/client/index.ts';
import { type RunOptions } from '../../support/run-ucctl.ts';
import { pathsIn } from '../../support/paths.ts';
import { openLiveOffice } from '../live-office.ts';

let folder = '';
let options: RunOptions;
let count = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ucctl-many-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(() => {
  options = {
    cwd: folder,
    paths: pathsIn(join(folder, String(count++))),
    env: { UCCTL_DEFAULT_COUNTRY: 'US' },
  };
});

const list = (text: string): Promise<void> => writeFile(join(folder, 'list.csv'), text);
const send = [
  'sms',
  'send',
  '-f',
  'list.csv',
  '--template',
  'Hello {{ Name }}',
  '--from',
  '+16505550110',
  '--yes',
];

describe('sms send --template', () => {
  it('spec:CLIENT-31 sends a text for each row, the same text to the same number once', async () => {
    await list('Phone,name\n(650) 555-0112,Ann\n+16505550113,Bob\n+1 650 555 0112,Ann\n+16505550112,Eve\n');
    const { run, sandbox } = await openLiveOffice();
    const { exit, stdout, stderr } = await run([...send, '--results', 'done.csv'], options);
    expect([exit, stderr]).toEqual([
      0,
      '3 texts from +16505550110 to 2 numbers; 1 repeated row is skipped\nfirst text, to +16505550112: Hello Ann\n',
    ]);
    expect(stdout).toBe('+16505550112\tsent\t\n+16505550113\tsent\t\n+16505550112\tsent\t\n');
    expect(sandbox.messages(171_857_102).map(({ subject }) => subject)).toEqual(['Hello Ann', 'Hello Eve']);
    const done = await readFile(join(folder, 'done.csv'), 'utf8');
    expect(done.split('\n').map((line) => line.split(',').slice(0, 3))).toEqual([
      ['Phone', 'name', 'result status'],
      ['(650) 555-0112', 'Ann', 'sent'],
      ['+16505550113', 'Bob', 'sent'],
      ["'+1 650 555 0112", 'Ann', 'duplicate'],
      ['+16505550112', 'Eve', 'sent'],
      [''],
    ]);
  });

  it('states the ID of each message in the rows, the results file and the journal', async () => {
    await list('to\n+16505550112\n+16505550113\n');
    const { run, sandbox } = await openLiveOffice();
    const keyed = [...send.with(5, 'Hi'), '--dedupe-key', 'ids', '-o', 'json', '--results', 'ids.csv'];
    const rows = JSON.parse((await run(keyed, options)).stdout) as readonly { readonly id: string }[];
    const ids = sandbox
      .messages(171_857_100)
      .filter(({ direction }) => direction === 'Outbound')
      .map(({ id }) => String(id));
    expect(rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    const file = (await readFile(join(folder, 'ids.csv'), 'utf8')).trim().split('\n');
    expect(file.map((line) => line.trim().split(',').at(-1))).toEqual([
      'result id',
      ...rows.map(({ id }) => id),
    ]);
    const changes = JSON.parse((await run('history show last -o json', options)).stdout) as unknown;
    expect(changes).toMatchObject(rows.map(({ id }) => ({ resultId: id })));
    // A duplicate has the ID of the earlier message.
    const again = JSON.parse((await run(keyed, options)).stdout) as unknown;
    expect(again).toMatchObject(rows.map(({ id }) => ({ status: 'duplicate', id })));
  });

  it('uses the singular for one text, one number and one row', async () => {
    await list('to,name\n+16505550112,Ann\n');
    const { run } = await openLiveOffice();
    const first = await run([...send, '--results', 'done.csv'], options);
    expect(first.stderr).toMatch(/^1 text from \+16505550110 to 1 number\n/);
    await list('to,name,result status\n+16505550112,Ann,sent\n+16505550113,Bob,failed\n');
    const second = await run(send, options);
    expect(second.stderr).toContain('\n1 row is skipped: already sent according to the results file\n');
    expect((await run([...send, '--quiet', '-n'], options)).stderr).toBe('');
    const asked = await run(
      send.filter((word) => word !== '--yes'),
      options,
    );
    expect(asked.stderr).toContain('Send 1 text from +16505550110 to 1 number?');
  });

  it.each([
    ['to,name\n+16505550112,\n', 'list.csv, line 2, column name: is empty, but the template uses it'],
    ['to,name\n1.65E+10,Ann\n', 'was probably changed by a spreadsheet'],
    ['to,name\n555,Ann\n', 'list.csv, line 2, column to: "555" is an extension, not a valid phone number'],
    [
      'to,first\n+16505550112,Ann\n',
      'error: --template: {{Name}} not found in the columns of list.csv: to, first\n  try:     fix the template or',
    ],
    ['to,Name,name\n+16505550112,Ann,Bob\n', 'several columns of list.csv match {{Name}}: to, Name, name\n'],
    ['name\nAnn\n', 'column "to" (or "number") not found'],
    [
      `to,name\n+16505550112,${'😀'.repeat(500)}\n`,
      'list.csv, line 2, column text: has 1006 UTF-16 code units, but the maximum is 1000',
    ],
    ['', 'the file is empty'],
  ])('reports the problem with %j before anything is sent', async (text, words) => {
    await list(text);
    const { run, requests } = await openLiveOffice();
    requests();
    const { exit, stderr } = await run(send, options);
    expect([exit, requests()]).toEqual([2, []]);
    expect(stderr).toContain(words);
  });

  it.each(['--fail-fast', '--max-errors 0'])(
    'sends nothing if %s does not accept the skipped rows',
    async (limit) => {
      await list('to,name\nnobody,Ann\n+16505550113,Bob\n');
      const { run, sandbox } = await openLiveOffice();
      const { exit } = await run([...send, '--skip-invalid', ...limit.split(' ')], options);
      expect([exit, sandbox.messages(171_857_100)]).toEqual([2, []]);
      const accepted = [...send, '--skip-invalid', '--max-errors', '1', '--results', 'skipped.csv'];
      expect((await run(accepted, options)).exit).toBe(8);
      expect(sandbox.messages(171_857_100)).toHaveLength(1);
      const rows = await readFile(join(folder, 'skipped.csv'), 'utf8');
      expect(rows).toMatch(/^nobody,Ann,skipped,.*is not a valid phone number/m);
    },
  );

  it('with --force-number accepts a number of another length', async () => {
    await list('to,name\n+165055501123,Ann\n');
    const { run } = await openLiveOffice();
    const dry = [...send, '--dry-run', '-o', 'json'];
    expect((await run(dry, options)).exit).toBe(2);
    const forced = await run([...dry, '--force-number'], options);
    expect([forced.exit, forced.stdout]).toEqual([0, expect.stringContaining('+165055501123')]);
  });

  it('reports all problems of a list at once', async () => {
    await list('to,name\n1.65E+10,Ann\n555,Bob\n+16505550112,\n+16505550113,Eve\n');
    const { run } = await openLiveOffice();
    const { exit, stderr } = await run(send, options);
    expect(exit).toBe(2);
    expect(stderr).toContain('3 problems in the list');
    expect(stderr.match(/list\.csv, line \d+, column \w+/g)).toEqual([
      'list.csv, line 2, column to',
      'list.csv, line 3, column to',
      'list.csv, line 4, column name',
    ]);
  });

  it('asks for confirmation, shows every request under --dry-run, and applies the policy to the whole list', async () => {
    await list('to,name\n+16505550112,Ann\n+16505550113,Bob\n');
    const { run, requests } = await openLiveOffice();
    requests();
    expect((await run(send.slice(0, -1), options)).exit).toBe(9);
    const dry = await run([...send.slice(0, -1), '-n', '-o', 'json'], options);
    expect([dry.exit, JSON.parse(dry.stdout)]).toMatchObject([
      0,
      [{ body: { text: 'Hello Ann' } }, { body: { text: 'Hello Bob' } }],
    ]);
    for (const env of [
      { UCCTL_FORBID_PREFIXES: '+16505550113' },
      { UCCTL_MAX_PER_HOUR: '1' },
      { UCCTL_READ_ONLY: 'true' },
    ]) {
      expect((await run(send, { ...options, env })).exit).toBe(9);
    }
    expect(requests()).toEqual([]);
  });

  it('applies the policy also when a run is resumed', async () => {
    await list('to,name\n+16505550112,Ann\n+16505550113,Bob\n');
    let isDead = true;
    const dead =
      (inner: HttpSend): HttpSend =>
      (request) => {
        if (isDead && request.method === 'POST')
          throw new ConnectionError('ECONNREFUSED', 'no', request.url.origin, undefined);
        return inner(request);
      };
    const { run, requests } = await openLiveOffice('administrator', {}, dead);
    expect((await run([...send, '--retry', '0'], options)).exit).toBe(7);
    isDead = false;
    requests();
    const words = ['sms', 'send', '--resume', 'last', '--yes'];
    for (const env of [
      { UCCTL_FORBID_PREFIXES: '+16505550113' },
      { UCCTL_QUIET_HOURS: '00:00-24:00' },
      { UCCTL_MAX_PER_HOUR: '1' },
      { UCCTL_READ_ONLY: 'true' },
    ])
      expect([env, (await run(words, { ...options, env })).exit]).toEqual([env, 9]);
    expect(requests()).toEqual([]);
    expect((await run(words, options)).exit).toBe(0);
  });

  it('continues after a recipient who cannot receive texts, and reports it', async () => {
    await list('to,name\n+16505550121,Queue\n+16505550113,Bob\n');
    const { run, sandbox } = await openLiveOffice();
    const { exit, stdout } = await run(send, options);
    expect(exit).toBe(8);
    expect(stdout).toMatch(
      /^\+16505550121\tfailed\tAn extension of type Department.*\n\+16505550113\tsent\t\n$/,
    );
    expect(sandbox.messages(171_857_103)).toHaveLength(1);
  });

  it('spec:CLIENT-31 with --dedupe-key the list can be sent again: texts already sent are skipped', async () => {
    await list('to,name\n+16505550112,Ann\n');
    const { run, sandbox } = await openLiveOffice();
    expect((await run([...send, '--dedupe-key', 'monday'], options)).exit).toBe(0);
    await list('to,name\n+16505550112,Ann\n+16505550113,Bob\n');
    const again = await run([...send, '--dedupe-key', 'monday'], options);
    expect([again.exit, again.stdout]).toEqual([
      0,
      expect.stringMatching(
        /^\+16505550112\tduplicate\tnothing was sent: an earlier request used the key "monday" at.*\n\+16505550113\tsent/,
      ),
    ]);
    expect(sandbox.messages(171_857_102)).toHaveLength(1);
    const { stdout, stderr, exit } = await run([...send, '--dedupe-key', 'monday', '--color', 'never'], {
      ...options,
      terminal: 100,
    });
    expect([exit, stdout.match(/already sent/g)?.length]).toEqual([0, 2]);
    expect(stderr).toContain('2 of 2 texts are skipped: already sent with this --dedupe-key\n');
    const runs = JSON.parse((await run('history list -o json', options)).stdout) as { earlier: number }[];
    expect(runs.map(({ earlier }) => earlier)).toEqual([2, 1, 0]);
    const newest = JSON.parse((await run('history list --limit 1 -o json', options)).stdout) as unknown;
    expect(newest).toMatchObject([{ earlier: 2 }]);
  });

  it('spec:CLIENT-31 --dedupe-key blocks a text of a list as a single text with the same key', async () => {
    await list('to,name\n+16505550112,Ann\n');
    const { run, sandbox } = await openLiveOffice();
    expect((await run([...send, '--dedupe-key', 'monday'], options)).exit).toBe(0);
    const single = (text: string, ...more: string[]) =>
      run(['sms', 'send', '--to', '+16505550112', '--from', '+16505550110', '--yes', text, ...more], options);
    const key = ['--dedupe-key', 'monday'];
    expect(await single('Hello Ann', ...key, '--dry-run')).toMatchObject({ exit: 11 });
    const again = await single('Hello Ann', ...key);
    expect([again.exit, again.stderr]).toEqual([11, expect.stringContaining('used the key "monday"')]);
    expect(sandbox.messages(171_857_102)).toHaveLength(1);
    expect((await single('Hello Ann', '--dedupe-key', 'mon')).exit).toBe(0);
    expect((await single('Bye', ...key)).exit).toBe(0);
    expect(sandbox.messages(171_857_102)).toHaveLength(3);
  });

  it('spec:CLIENT-31 --dedupe-key blocks a single text in a list with the same key', async () => {
    await list('to,name\n+16505550112,Ann\n+16505550112,Eve\n');
    const { run, sandbox } = await openLiveOffice();
    const single = 'sms send --to +16505550112 --from +16505550110 --yes --dedupe-key monday';
    expect((await run([...single.split(' '), 'Hello Ann'], options)).exit).toBe(0);
    const { exit, stdout } = await run([...send, '--dedupe-key', 'monday'], options);
    expect([exit, stdout]).toEqual([
      0,
      expect.stringMatching(/^\+16505550112\tduplicate\t.*\n\+16505550112\tsent/),
    ]);
    expect(sandbox.messages(171_857_102).map(({ subject }) => subject)).toEqual(['Hello Ann', 'Hello Eve']);
  });

  it('under --dry-run shows only the texts that --dedupe-key does not block', async () => {
    await list('to,name\n+16505550112,Ann\n');
    const { run } = await openLiveOffice();
    expect((await run([...send, '--dedupe-key', 'monday'], options)).exit).toBe(0);
    const dry = (key: string) => run([...send, '--dedupe-key', key, '--dry-run', '-o', 'json'], options);
    const all = await dry('monday');
    expect([all.exit, all.stdout]).toEqual([0, '[]\n']);
    expect(all.stderr).toContain('ucctl would skip 1 text: already sent in the last 24 hours');
    await list('to,name\n+16505550112,Ann\n+16505550113,Bob\n');
    const some = await dry('monday');
    expect(some.stderr).toContain('ucctl would skip 1 text');
    expect(some.stdout).not.toContain('+16505550112');
    expect(some.stdout).toContain('+16505550113');
    const other = await dry('tuesday');
    expect(other.stderr).not.toContain('again');
    expect(other.stdout).toContain('+16505550112');
  });

  it('after a failure it never advises a command that would send the other texts twice', async () => {
    await list('to,name\n+16505550121,Queue\n+16505550113,Bob\n');
    const { run } = await openLiveOffice();
    const plain = await run(send, options);
    expect(plain.stderr).toContain('use a list with only the rows that were not sent');
    expect(plain.stderr).not.toContain('skips texts that were already sent');
    const withResults = await run([...send, '--results', 'done.csv'], options);
    expect(withResults.stderr).toContain('use --file done.csv, which sends only the rows that were not sent');
    const keyed = await run([...send, '--dedupe-key', 'k'], options);
    expect(keyed.stderr).toContain('run the same command with the same --dedupe-key again');
  });

  it('after skipped rows it never advises a command that would send the other texts twice', async () => {
    const skipping = [...send, '--skip-invalid'];
    const { run, sandbox } = await openLiveOffice();
    const again = async (more: readonly string[]) => {
      await list('to,name\n+16505550113,Bob\nabc,Ann\n');
      const { exit, stderr } = await run([...skipping, ...more], options);
      expect(exit).toBe(8);
      return stderr;
    };
    const warning = 'with the original list, ucctl would send all texts again';
    expect(await again(['--new-run'])).toContain(
      `use a list with only the rows that were not sent; ${warning}`,
    );
    const withResults = await again(['--new-run', '--results', 'done.csv']);
    expect(withResults).toContain(
      `use --file done.csv, which sends only the rows that were not sent; ${warning}`,
    );
    const done = join(folder, 'done.csv');
    await writeFile(done, (await readFile(done, 'utf8')).replace('abc', '+16505550112'));
    const fixed = await run([...send.slice(0, 3), 'done.csv', ...send.slice(4)], options);
    expect([fixed.exit, fixed.stdout]).toEqual([0, '+16505550112\tsent\t\n']);
    // With a key, the same command is safe to repeat.
    const key = ['--dedupe-key', 'k'];
    expect(await again(key)).toContain('run the same command with the same --dedupe-key again');
    await list('to,name\n+16505550113,Bob\n+16505550112,Ann\n');
    const keyed = await run([...skipping, ...key], options);
    expect([keyed.exit, keyed.stdout.match(/duplicate|sent\t\n/g)]).toEqual([0, ['duplicate', 'sent\t\n']]);
    expect(sandbox.messages(171_857_103)).toHaveLength(3);
    expect(sandbox.messages(171_857_102)).toHaveLength(2);
  });

  it('a results file used as a list sends only the unsent texts, and keeps the results of the others', async () => {
    await list('to,name\n+16505550121,Queue\n+16505550113,Bob\n+16505550112,Eve\n+16505550112,Eve\n');
    const { run, sandbox } = await openLiveOffice();
    expect((await run([...send, '--results', 'done.csv'], options)).exit).toBe(8);
    const done = join(folder, 'done.csv');
    const first = await readFile(done, 'utf8');
    // The queue's number is corrected, and of Eve nobody knows.
    await writeFile(done, first.replace('+16505550121', '+16505550110').replace('Eve,sent', 'Eve,unknown'));
    const again = [...send.slice(0, 3), 'done.csv', ...send.slice(4), '--results', 'done.csv'];
    const { exit, stdout, stderr } = await run(again, options);
    expect([exit, stdout]).toEqual([0, '+16505550110\tsent\t\n']);
    expect(stderr).toContain('1 row is skipped: the outcome in the results file is unknown');
    expect(stderr).toContain('2 rows are skipped: already sent according to the results file');
    expect(sandbox.messages(171_857_103)).toHaveLength(1);
    expect(sandbox.messages(171_857_102)).toHaveLength(1);
    const second = await readFile(done, 'utf8');
    expect(second.split('\n').map((line) => line.split(',').slice(1, 3))).toEqual([
      ['name', 'result status'],
      ['Queue', 'sent'],
      ['Bob', 'sent'],
      ['Eve', 'unknown'],
      ['Eve', 'duplicate'],
      [],
    ]);
    const bob = (text: string): string | undefined => text.split('\n').find((line) => line.includes('Bob'));
    expect(bob(second)).toBe(bob(first));
    const third = await run(again, options);
    expect([third.exit, third.stdout]).toEqual([0, '']);
    expect(sandbox.messages(171_857_103)).toHaveLength(1);
  });

  it('a results file stays a record of the sent texts, even if a spreadsheet damages their numbers', async () => {
    await list('to,name\n+16505550113,Bob\n');
    const { run, sandbox } = await openLiveOffice();
    expect((await run([...send, '--results', 'done.csv'], options)).exit).toBe(0);
    const done = join(folder, 'done.csv');
    const first = await readFile(done, 'utf8');
    await writeFile(done, `${first.replace('+16505550113', '1.65056E+10')}+16505550112,Ann,,,,,,,\n`);
    const again = [...send.slice(0, 3), 'done.csv', ...send.slice(4), '--results', 'done.csv'];
    const { exit, stdout } = await run([...again, '--skip-invalid'], options);
    expect([exit, stdout]).toEqual([0, '+16505550112\tsent\t\n']);
    const restored = (await readFile(done, 'utf8')).replace('1.65056E+10', '+16505550113');
    await writeFile(done, restored);
    expect(restored.match(/,sent,/g)).toHaveLength(2);
    expect((await run(again, options)).exit).toBe(0);
    expect(sandbox.messages(171_857_103)).toHaveLength(1);
  });

  it('spec:CLIENT-31 with faults there is no duplicate, and every row has an outcome, also after resuming', async () => {
    const rows = 200;
    await list(
      `to,name\n${Array.from({ length: rows }, (_, index) => `+1415555${String(1000 + index)},n${index}\n`).join('')}`,
    );
    // Every 7th answer is lost, a tenth fails inside the service, once the line is dead.
    let seen = 0;
    let isDead = true;
    const faulty =
      (inner: HttpSend): HttpSend =>
      async (request) => {
        if (request.method !== 'POST') return inner(request);
        seen += 1;
        if (seen === 90 && isDead) {
          isDead = false;
          throw new ConnectionError('ECONNREFUSED', 'no', request.url.origin, undefined);
        }
        const reply = await inner(request);
        if (seen % 7 === 0) throw new ConnectionError('ECONNRESET', 'unknown', request.url.origin, undefined);
        return reply;
      };
    const { run, sandbox } = await openLiveOffice('administrator', {}, faulty);
    await sandbox.control('POST', '/faults', {
      kind: 'status',
      operation: 'sendSms',
      status: 503,
      probability: 0.1,
      times: 0,
    });
    const first = await run([...send, '--results', 'done.csv', '--retry', '0'], options);
    expect([8, 14]).toContain(first.exit);
    const second = await run(
      ['sms', 'send', '--resume', 'last', '--yes', '--results', 'done.csv', '--retry', '0'],
      options,
    );
    expect(second.exit).toBe(14);
    const lines = (await readFile(join(folder, 'done.csv'), 'utf8')).trim().split('\n').slice(1);
    const statuses = new Map(lines.map((line) => [line.split(',')[1] ?? '', line.split(',')[2] ?? '']));
    expect(statuses.size).toBe(rows);
    expect([...new Set(statuses.values())].toSorted()).toEqual(['sent', 'unknown']);
    const outbox = sandbox.messages(171_857_100).map(({ subject }) => subject?.replace('Hello ', '') ?? '');
    expect(new Set(outbox).size).toBe(outbox.length);
    const sent = [...statuses].filter(([, status]) => status === 'sent').map(([name]) => name);
    expect(outbox).toEqual(expect.arrayContaining(sent));
  });

  it.each([
    [['--template', 'x'], '--template requires a list'],
    [['--template', 'x', '--to', '+16505550112'], 'cannot be used together'],
    [['--resume', 'nothing', '--yes'], 'run "nothing" not found'],
    [['--template', 'x', '-f', 'missing.csv'], 'cannot read missing.csv'],
  ])('with %j reports the problem', async (words, text) => {
    const { run } = await openLiveOffice();
    const { exit, stderr } = await run(['sms', 'send', ...words], options);
    expect([2, 3]).toContain(exit);
    expect(stderr).toContain(text);
  });
});
