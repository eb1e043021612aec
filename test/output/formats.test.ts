import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { exampleNoun, noon, nounWith } from '../support/example-noun.ts';
import { type RunOptions, runUcctl } from '../support/run-ucctl.ts';

const run = (argv: string, options: RunOptions = {}): ReturnType<typeof runUcctl> =>
  runUcctl(argv, { nouns: [exampleNoun()], now: noon, ...options });
const empty: RunOptions = { nouns: [exampleNoun({ rows: [] })] };

describe('a list', () => {
  it('is a table on a terminal, with short times', async () => {
    const { stdout, stderr, exit } = await run('book list --color never', { terminal: 100 });
    expect(stdout).toBe(
      [
        'ID                Name            Phone      Status    Changed (UTC)',
        '1                 Ada             +15550100  Enabled   11:48',
        '9007199254740993  Comma, "quote"             Disabled  Jan 5 06:00',
        '',
      ].join('\n'),
    );
    expect({ stderr, exit }).toEqual({ stderr: '', exit: 0 });
  });

  it('drops the least important columns on a narrow terminal, and truncates the rest', async () => {
    const { stdout } = await run('book list --color never', { terminal: 24 });
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toBe('Name            Status');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(24);
    const tiny = await run('book list --color never', { terminal: 10 });
    expect(tiny.stdout).toContain('Comma, "q…');
  });

  it('is TSV without heading in a pipe, with full times in UTC', async () => {
    const { stdout } = await run('book list');
    expect(stdout).toBe(
      '1\tAda\t+15550100\tEnabled\t2025-03-01T11:48:00Z\n9007199254740993\tComma, "quote"\t\tDisabled\t2025-01-05T06:00:00.000Z\n',
    );
  });

  it('is one array in json, with all digits of long ids', async () => {
    const { stdout } = await run('book list -o json');
    expect(stdout).toContain('"id": 9007199254740993,');
    expect(JSON.parse(stdout)).toHaveLength(2);
    expect((await run('book list', { env: { UCCTL_OUTPUT: 'json' } })).stdout).toBe(stdout);
  });

  it('is one record per line in ndjson, each in its own write', async () => {
    const pieces: string[] = [];
    await run('book list -o ndjson', { onStdout: (text) => void pieces.push(text) });
    expect(pieces.map((piece) => piece.endsWith('\n'))).toEqual([true, true]);
  });

  it('is RFC 4180 in csv', async () => {
    const { stdout } = await run('book list -o csv');
    expect(stdout).toBe(
      'id,name,phone,status,changed\r\n1,Ada,+15550100,Enabled,2025-03-01T11:48:00Z\r\n9007199254740993,"Comma, ""quote""",,Disabled,2025-01-05T06:00:00.000Z\r\n',
    );
    expect((await run('book list -o csv --no-header')).stdout).not.toContain('id,name');
  });

  it('is one document in yaml', async () => {
    const { stdout } = await run('book list -o yaml');
    expect(parseYaml(stdout, { intAsBigInt: true })).toMatchObject([
      { name: 'Ada' },
      { id: 9_007_199_254_740_993n },
    ]);
  });

  it.each([
    ['table', ''],
    ['json', '[]\n'],
    ['ndjson', ''],
    ['csv', 'id,name,phone,status,changed\r\n'],
    ['tsv', ''],
    ['yaml', '[]\n'],
  ])('that is empty is valid in %s', async (format, stdout) => {
    expect(await run(`book list -o ${format}`, empty)).toEqual({ exit: 0, stdout, stderr: '' });
  });

  it('that is empty is reported on stderr of a terminal only', async () => {
    expect((await run('book list', { ...empty, terminal: true })).stderr).toBe('No books.\n');
    expect((await run('book list -q', { ...empty, terminal: true })).stderr).toBe('');
    expect((await run('book list -o json', { ...empty, terminal: true })).stderr).toBe('');
  });
});

describe('a record', () => {
  it.each([
    ['json', '{\n  "id": 1,\n  "name": "Ada",'],
    ['ndjson', '{"id":1,"name":"Ada","phone":"+15550100"'],
    ['csv', 'id,name,phone,status,changed\r\n1,Ada,'],
    ['tsv', '1\tAda\t+15550100\t'],
    ['yaml', 'id: 1\nname: Ada\n'],
    ['table', 'ID       1\nName     Ada\n'],
  ])('in %s', async (format, start) => {
    const { stdout, exit } = await run(`book show -o ${format}`);
    expect(stdout.slice(0, start.length)).toBe(start);
    expect(stdout.endsWith('\n')).toBe(true);
    expect(exit).toBe(0);
  });
});

describe('a live stream', () => {
  it('is one line per record on a terminal and NDJSON in a pipe', async () => {
    expect((await run('book follow', { terminal: true })).stdout).toBe(
      '1: Ada\n9007199254740993: Comma, "quote"\n',
    );
    const piped = await run('book follow');
    expect(piped.stdout.trimEnd().split('\n')).toHaveLength(2);
    expect(piped.stdout).toContain('{"id":9007199254740993,');
    expect((await run('book follow -o json')).stdout).toBe(piped.stdout);
  });

  it.each([
    ['tsv', '1\tAda\t'],
    ['csv', 'id,name,phone,status,changed\r\n1,Ada,'],
    ['yaml', '---\nid: 1\n'],
  ])('is written as %s on request', async (format, start) => {
    expect((await run(`book follow -o ${format}`)).stdout.startsWith(start)).toBe(true);
  });
});

describe('picking fields', () => {
  it('keeps those of --json=a,b in that order', async () => {
    const { stdout } = await run('book list --json=name,tags.0.word');
    expect(JSON.parse(stdout)).toEqual([
      { name: 'Ada', 'tags.0.word': 'old' },
      { name: 'Comma, "quote"', 'tags.0.word': null },
    ]);
  });

  it('picks columns, or paths into the record, with --fields', async () => {
    expect((await run('book list --fields name,tags.0.word -o csv')).stdout).toBe(
      'name,tags.0.word\r\nAda,old\r\n"Comma, ""quote""",\r\n',
    );
  });

  it('rejects an unknown JSON field before the command runs, and an unknown column', async () => {
    const json = await run('book list --json=nam');
    expect(json).toMatchObject({ exit: 2, stdout: '' });
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: 'usage', exit: 2 } });
    expect(await run('book list --fields nam')).toMatchObject({ exit: 2, stdout: '' });
  });

  it.each(['json', 'ndjson', 'yaml'])('rejects an unknown field of --fields in %s', async (format) => {
    const { exit, stdout, stderr } = await run(`book list --fields id,nam -o ${format}`);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain('unknown JSON field');
    expect(stderr).toContain('fields: id, name, phone, status, changed, tags');
    const set = await run('book list --fields nam', { env: { UCCTL_OUTPUT: format } });
    expect([set.exit, set.stdout]).toEqual([2, '']);
    const known = await run(`book list --fields name,tags.0.word -o ${format}`);
    expect([known.exit, known.stderr]).toEqual([0, '']);
  });

  it('lists them with --json=help', async () => {
    expect((await run('book list --json=help')).stdout).toBe('id\nname\nphone\nstatus\nchanged\ntags\n');
  });
});

it('leaves a JSON array open when its source fails, so that an incomplete list does not look complete', async () => {
  const { exampleNoun: example } = await import('../support/example-noun.ts');
  const noun = example({
    work: (ctx) =>
      ctx.out.list(
        (async function* () {
          yield { id: 1 };
          throw new Error('cut');
        })(),
        { columns: [] },
      ),
  });
  const { stdout, exit } = await run('book list --json', { nouns: [noun] });
  expect(stdout).toBe('[\n  {\n    "id": 1\n  }');
  expect(exit).toBe(70);
});

describe('options that prevent any output', () => {
  const done: string[] = [];
  const nouns = [
    exampleNoun({
      work: async (ctx) => {
        done.push('sent');
        await ctx.out.list([{ id: 1, name: 'Ada' }], {
          columns: [{ key: 'id', title: 'ID', value: (row) => row.id }],
        });
      },
    }),
  ];

  it.each(["--jq '.['", '--jq . -o csv'])('%s is rejected before anything is sent', async (flags) => {
    expect(await run(`book put 1 ${flags}`, { nouns })).toMatchObject({ exit: 2, stdout: '' });
    expect(done).toEqual([]);
  });

  it('an unknown column is a warning if a request was already sent', async () => {
    const { exit, stdout, stderr } = await run('book put 1 --fields id,nam', { nouns });
    expect([exit, stdout]).toEqual([0, '1\t\n']);
    expect(stderr).toContain('warning: unknown field "nam"');
  });
});

it('wraps a value of a record that is wider than the terminal', async () => {
  const rows = [{ id: 1, name: 'a long name that needs two lines 日本語テキスト' }];
  const { stdout } = await run('book show --color never', { nouns: [exampleNoun({ rows })], terminal: 30 });
  expect(stdout).toBe('ID    1\nName  a long name that needs\n      two lines 日本語テキスト\n');
});

describe('fields that only some records have', () => {
  const tagged = [
    { id: 1, name: 'Ada' },
    { id: 2, name: 'Bo', tags: [{ word: 'new' }] },
  ];
  const nouns = [exampleNoun({ rows: tagged })];

  it.each(['csv', 'tsv'])(
    'a member of the first record that is not declared is written in %s',
    async (format) => {
      const rows = [{ id: 1, name: 'Ada', tags: [{ word: 'new', wort: 'neu' }] }];
      const line = `book list --fields id,tags.0.wort --no-header -o ${format}`;
      const { exit, stdout, stderr } = await run(line, { nouns: [exampleNoun({ rows })] });
      expect([exit, stdout.trim().split(/[,\t]/), stderr]).toEqual([0, ['1', 'neu'], '']);
    },
  );

  it.each([
    ['tsv', '1\t\n2\tnew\n'],
    ['csv', 'id,tags.0.word\r\n1,\r\n2,new\r\n'],
  ])('can be picked at any position: %s', async (format, stdout) => {
    const result = await run(`book list -o ${format} --fields id,tags.0.word`, { nouns });
    expect(result).toEqual({ exit: 0, stdout, stderr: '' });
  });

  it('have columns if the command defines none', async () => {
    const open = nounWith((ctx) => ctx.out.list(tagged, { columns: [] }));
    expect(await run('book put 1 -o csv', { nouns: open })).toEqual({
      exit: 0,
      stdout: 'id,name,tags.0.word\r\n1,Ada,\r\n2,Bo,new\r\n',
      stderr: '',
    });
    const { stderr } = await run('book put 1 -o csv --fields no', { nouns: open });
    expect(stderr).toContain('fields: id, name');
  });

  it('may have dots in their names', async () => {
    const dotted = [{ 'max(m.size)': 7, sip: { 'user.agent': 'desk' } }];
    const open = nounWith((ctx) => ctx.out.list(dotted, { columns: [] }));
    const columns = 'max(m.size),sip.user.agent';
    expect(await run('book put 1 -o csv', { nouns: open })).toEqual({
      exit: 0,
      stdout: `${columns}\r\n7,desk\r\n`,
      stderr: '',
    });
    expect((await run(`book put 1 -o ndjson --fields ${columns}`, { nouns: open })).stdout).toBe(
      '{"max(m.size)":7,"sip.user.agent":"desk"}\n',
    );
  });
});
