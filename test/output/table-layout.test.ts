import { describe, expect, it } from 'vitest';
import { fit, widthOf } from '../../src/platform/text-width.ts';
import { tableRenderer } from '../../src/output/table.ts';
import { clockTime } from '../../src/output/cell.ts';
import { fullTime } from '../../src/platform/moment.ts';
import type { View } from '../../src/runtime/output.ts';
import { exampleNoun, noon, nounWith } from '../support/example-noun.ts';
import { runUcctl } from '../support/run-ucctl.ts';
import type { Column } from '../../src/runtime/output.ts';
import { plainSurface } from '../support/surface.ts';

describe('fitting', () => {
  it.each([
    ['short', 10, 'short'],
    ['exactly ten', 11, 'exactly ten'],
    ['something long', 8, 'somethi…'],
    ['日本語テキスト', 7, '日本語…'],
    ['👩‍💻👩‍💻👩‍💻', 4, '👩‍💻…'],
    ['éclairs au chocolat', 4, 'écl…'],
  ])('%s into %i columns is %s', (text, width, fitted) => {
    expect(fit(text, width)).toBe(fitted);
    expect(widthOf(fit(text, width))).toBeLessThanOrEqual(width);
  });
});

it('aligns wide characters by their width on the screen', async () => {
  const rows = [
    { id: 1, name: '日本', status: 'Enabled' },
    { id: 2, name: 'abcd', status: 'Enabled' },
  ];
  const { stdout } = await runUcctl('book list --color never', {
    nouns: [exampleNoun({ rows })],
    terminal: 80,
  });
  const starts = stdout
    .split('\n')
    .slice(1, 3)
    .map((line) => widthOf(line.slice(0, line.indexOf('Enabled'))));
  expect(starts[0]).toBe(starts[1]);
});

describe('values below their row', () => {
  const rows = [
    { from: '+16505550199', to: '+16505550112 (Dana Okafor)', result: 'Missed', text: 'Hi' },
    { from: '+16505550147', to: '', result: '', text: '' },
    { from: 'Dana', to: '+16505550121 (Support)', result: 'Abandoned', text: 'one two '.repeat(12).trim() },
  ];
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { key: 'from', title: 'FROM', kind: 'phone', priority: 9, value: (row) => row.from },
    { key: 'to', title: 'TO', kind: 'phone', least: 30, below: '→ ', priority: 5, value: (row) => row.to },
    { key: 'result', title: 'RESULT', least: 30, below: '', priority: 4, value: (row) => row.result },
    { key: 'text', title: 'TEXT', folds: 2, below: '', priority: 3, value: (row) => row.text },
  ];
  const draw = async (width: number, isTerminal = true): Promise<readonly string[]> => {
    const pieces: string[] = [];
    const surface = plainSurface({
      write: (text) => Promise.resolve(void pieces.push(text)),
      isTerminal,
      columns: isTerminal ? width : undefined,
    });
    await tableRenderer(surface).list(rows, { columns });
    return pieces.join('').split('\n');
  };

  it('are joined if they fit one line, else wrapped to the lines of their column', async () => {
    expect(await draw(45)).toEqual([
      'FROM             RESULT',
      '+1 650 555 0199  Missed',
      '  → +1 650 555 0112 (Dana Okafor) Hi',
      '+1 650 555 0147',
      'Dana             Abandoned',
      '  → +1 650 555 0121 (Support)',
      '  one two one two one two one two one two one',
      '  two one two one two one two one two one tw…',
      '',
    ]);
    expect((await draw(30)).at(-2)).toBe('  two one two one two one two…');
  });

  it('do not break a phone number', async () => {
    expect(await draw(18)).toContain('  →');
    expect(await draw(18)).toContain('  +1 650 555 0121');
  });

  it('use the free space next to a wrapped text, if they fit', async () => {
    const pieces: string[] = [];
    const surface = plainSurface({
      write: (text) => Promise.resolve(void pieces.push(text)),
      isTerminal: true,
      columns: 56,
    });
    const from = 'Dana Okafor (102), Billing';
    const long = 'one two '.repeat(5).trim();
    const all = [
      { from, to: '+16505550121', result: '', text: long },
      { from, to: '+16505550121 (Support)', result: '', text: long },
      { from, to: '+16505550121', result: '', text: 'Hi' },
    ];
    await tableRenderer(surface).list(all, {
      columns: [
        { key: 'from', title: 'FROM', whole: true, priority: 9, value: (row) => row.from },
        { key: 'text', title: 'TEXT', folds: 2, below: '', priority: 8, value: (row) => row.text },
        ...columns.filter(({ key }) => key === 'to'),
      ],
    });
    expect(pieces.join('').split('\n')).toEqual([
      'FROM                        TEXT',
      'Dana Okafor (102), Billing  one two one two one two one',
      '  → +1 650 555 0121         two one two',
      'Dana Okafor (102), Billing  one two one two one two one',
      '                            two one two',
      '  → +1 650 555 0121 (Support)',
      'Dana Okafor (102), Billing  Hi',
      '  → +1 650 555 0121',
      '',
    ]);
  });

  it('are columns in a pipe, with numbers as the service writes them', async () => {
    expect((await draw(0, false))[1]).toMatch(/^\+16505550199 +\+16505550112 \(Dana Okafor\) +Missed +Hi$/);
  });
});

it('writes the lines of an event that was wrapped, without control characters', async () => {
  const pieces: string[] = [];
  const surface = plainSurface({
    write: (text) => Promise.resolve(void pieces.push(text)),
    isTerminal: true,
    columns: 20,
  });
  const events = (async function* () {
    yield* await Promise.resolve([{ lines: ['one', '  two\nthree\u001B[2J'] }, { lines: 'four\nfive' }]);
  })();
  await tableRenderer(surface).stream(events, { columns: [], line: ({ lines }) => lines });
  expect(pieces).toEqual(['one\n  two⏎three␛[2J\n', 'four⏎five\n']);
});

it('wraps a column with instructions instead of truncating it', async () => {
  const pieces: string[] = [];
  const surface = plainSurface({
    write: (text) => Promise.resolve(void pieces.push(text)),
    isTerminal: true,
    columns: 40,
  });
  const rows = [
    { check: 'address', todo: 'check the network and the service: ucctl config list --show-origin' },
    { check: 'clock', todo: 'nothing' },
  ];
  await tableRenderer(surface).list(rows, {
    columns: [
      { key: 'check', title: 'CHECK', value: (row) => row.check },
      { key: 'todo', title: 'TO DO', value: (row) => row.todo, folds: true },
    ],
  });
  expect(pieces.join('').split('\n')).toEqual([
    'CHECK    TO DO',
    'address  check the network and the',
    '         service: ucctl config list',
    '         --show-origin',
    'clock    nothing',
    '',
  ]);
});

it('prints the rows of a long list in blocks under one heading', async () => {
  const rows = Array.from({ length: 2500 }, (_, id) => ({ id, name: 'x'.repeat(id === 2400 ? 50 : 5) }));
  const pieces: string[] = [];
  const { stdout } = await runUcctl('book list --color never', {
    nouns: [exampleNoun({ rows })],
    terminal: 60,
    onStdout: (text) => void pieces.push(text),
  });
  expect(stdout.split('\n')).toHaveLength(2502);
  expect(stdout.match(/Name/g)).toHaveLength(1);
  expect(pieces).toHaveLength(3);
  expect(stdout).toContain('xxxx…');
  const piped = await runUcctl('book list -o table', { nouns: [exampleNoun({ rows })] });
  expect(piped.stdout).toContain('x'.repeat(50));
  expect(piped.stdout).not.toContain('…');
});

it('omits absent members of a record, unless they are requested', async () => {
  const nouns = [exampleNoun({ rows: [{ id: 1, name: 'Ada' }] })];
  expect((await runUcctl('book show --color never', { nouns, terminal: true })).stdout).toBe(
    'ID    1\nName  Ada\n',
  );
  const asked = await runUcctl('book show --color never --fields phone', { nouns, terminal: true });
  expect(asked.stdout).toBe('Phone\n');
});

it.each([
  ['2025-03-01T11:59:55Z', '11:59'],
  ['2025-03-01T00:00:00Z', '00:00'],
  ['2025-02-28T23:59:59Z', 'Feb 28 23:59'],
  ['2025-03-01T12:00:20Z', '12:00'],
  ['2025-03-01T12:15:00Z', 'in 15 min'],
  ['2025-03-01T12:59:59.700Z', 'in 1 h'],
  ['2025-03-02T11:59:50Z', 'in 1 d'],
  ['2025-03-08T12:01:00Z', 'Mar 8 12:01'],
  ['2024-12-24T18:00:00+02:00', '2024-12-24'],
  ['no time', 'no time'],
])('%s is %s at noon', (text, shown) => {
  expect(clockTime(text, noon)).toBe(shown);
});

it('shows times in the selected zone, also across midnight, and names UTC in the heading', async () => {
  expect(clockTime('2025-02-28T23:30:00Z', noon, 'Europe/Paris')).toBe('00:30');
  expect(fullTime('2025-02-28T23:30:00Z', 'Europe/Paris')).toBe('2025-03-01 00:30:00');
  expect(fullTime('2025-02-28T23:30:00Z')).toBe('2025-02-28 23:30:00 UTC');
  expect(fullTime('soon')).toBe('soon');
  const options = { nouns: [exampleNoun()], terminal: 100, now: noon };
  expect((await runUcctl('book list --color never', options)).stdout).toContain('Changed (UTC)');
  expect((await runUcctl('book list --tz Asia/Tokyo --color never', options)).stdout).toMatch(/Changed\n/);
});

it.each([
  ['list', 'EXTENSION  ENABLED\n102        yes\n103        no\n'],
  ['record', 'Extension  102\nEnabled    yes\n'],
] as const)('shows flags as yes and no on a terminal, in a %s', async (kind, shown) => {
  const view: View<{ extension: string; enabled: boolean }> = {
    columns: [
      { key: 'extension', title: 'EXTENSION', value: (row) => row.extension },
      { key: 'enabled', title: 'ENABLED', value: (row) => row.enabled },
    ],
  };
  const [first, second] = [
    { extension: '102', enabled: true },
    { extension: '103', enabled: false },
  ];
  const nouns = nounWith((ctx) =>
    kind === 'list' ? ctx.out.list([first, second], view) : ctx.out.record(first, view),
  );
  const run = async (options: object, argv = 'book put 1') =>
    (await runUcctl(argv, { nouns, env: { NO_COLOR: '1' }, ...options })).stdout;
  expect(await run({ terminal: 80 })).toBe(shown);
  expect(await run({})).toContain('102\ttrue');
});

it('shows a name with its number in a table, and both members to programs', async () => {
  const view: View<{ number: string; name: string }> = {
    columns: [
      {
        key: 'number',
        title: 'AGENT',
        value: (row) => row.number,
        shown: ({ number, name }) => `${name} (${number})`,
      },
      { key: 'name', title: 'AGENT NAME', value: (row) => row.name, isIncluded: true },
    ],
  };
  const nouns = nounWith((ctx) => ctx.out.list([{ number: '102', name: 'Dana' }], view));
  const shown = async (options: string, terminal?: number) =>
    (
      await runUcctl(`book put 1 ${options}`.trimEnd(), {
        nouns,
        env: { NO_COLOR: '1' },
        ...(terminal !== undefined && { terminal }),
      })
    ).stdout;
  expect(await shown('', 80)).toBe('AGENT\nDana (102)\n');
  expect(await shown('--fields name', 80)).toBe('AGENT NAME\nDana\n');
  expect(await shown('-o csv')).toBe('number,name\r\n102,Dana\r\n');
});

it('runs work with progress, and prints nothing without a terminal', async () => {
  const noun = exampleNoun({
    work: async (ctx) => {
      const answer = await ctx.out.progress('Working', () => Promise.resolve(42));
      await ctx.out.record({ answer }, { columns: [] });
    },
  });
  const result = await runUcctl('book show -o json', { nouns: [noun] });
  expect(result).toEqual({ exit: 0, stdout: '{\n  "answer": 42\n}\n', stderr: '' });
});

describe('text from right to left', () => {
  const rows = [
    { id: 1, name: 'שלום (102)', status: 'Enabled' },
    { id: 2, name: 'abcd', status: 'Enabled' },
  ];
  const nouns = [exampleNoun({ rows })];

  it('is isolated on a terminal, so that other cells keep their place', async () => {
    const { stdout } = await runUcctl('book list --color never', { nouns, terminal: 80 });
    expect(stdout).toContain('\u2068שלום (102)\u2069');
    // A terminal gives isolates no room.
    const lines = stdout.replaceAll(/[\u2068\u2069]/g, '').split('\n');
    const starts = lines.slice(1, 3).map((line) => widthOf(line.slice(0, line.indexOf('Enabled'))));
    expect(starts[0]).toBe(starts[1]);
    expect(stdout).not.toContain('\u001B');
  });

  it('is isolated below its row too', async () => {
    const view: View<{ name: string; text: string }> = {
      columns: [
        { key: 'name', title: 'NAME', value: (row) => row.name },
        { key: 'text', title: 'TEXT', folds: 4, below: '→ ', priority: 1, value: (row) => row.text },
      ],
    };
    const row = { name: 'Dana Okafor', text: 'שלום, 5 עולם (102) abc' };
    const noun = nounWith((ctx) => ctx.out.list([row], view));
    const { stdout } = await runUcctl('book put 1', { nouns: noun, terminal: 24, env: { NO_COLOR: '1' } });
    expect(stdout).toBe('NAME\nDana Okafor\n  → \u2068שלום, 5 עולם\u2069 (102)\n  abc\n');
  });

  it('is isolated in lines of a stream and on stderr too', async () => {
    const line = '19:54 שלום, 5 עולם (102) abc';
    const lines = async function* () {
      yield { line };
    };
    const noun = nounWith(async (ctx) => {
      ctx.out.note(line);
      await ctx.out.stream(lines(), { columns: [], line: (row) => row.line });
    });
    const shown = '19:54 \u2068שלום, 5 עולם\u2069 (102) abc\n';
    const result = await runUcctl('book put 1', { nouns: noun, terminal: 80 });
    expect(result).toEqual({ exit: 0, stdout: shown, stderr: shown });
    const piped = await runUcctl('book put 1 -o table', { nouns: noun });
    expect(piped).toEqual({ exit: 0, stdout: `${line}\n`, stderr: `${line}\n` });
  });

  it('is unchanged in a pipe', async () => {
    expect((await runUcctl('book list', { nouns })).stdout).toContain('\tשלום (102)\t');
    expect((await runUcctl('book list -o table', { nouns })).stdout).not.toContain('\u2068');
  });
});

it.each([40, 80, 200])('fits %i columns, with wide and combining characters', async (terminal) => {
  const name = 'Zoe\u0308 日本語テキスト 👩‍💻 '.repeat(8);
  const rows = [{ id: 1, name, phone: '+15550100', status: 'Enabled', changed: '2025-03-01T11:48:00Z' }];
  const { stdout } = await runUcctl('book list --color never', { nouns: [exampleNoun({ rows })], terminal });
  expect(Math.max(...stdout.split('\n').map(widthOf))).toBeLessThanOrEqual(terminal);
});

it('reads at most one block ahead of the printed rows, in 10,000 rows', async () => {
  let made = 0;
  let printed = 0;
  let ahead = 0;
  const rows = {
    *[Symbol.iterator]() {
      for (made = 1; made <= 10_000; made += 1) {
        ahead = Math.max(ahead, made - printed);
        yield { id: made, name: `Book ${made}` };
      }
    },
  };
  const noun = exampleNoun({
    work: (ctx) =>
      ctx.out.list(rows, {
        columns: [{ key: 'name', title: 'Name', value: (row: { name: string }) => row.name }],
      }),
  });
  await runUcctl('book list --color never', {
    nouns: [noun],
    terminal: 80,
    onStdout: (text) => {
      printed += text.split('\n').length - 1;
    },
  });
  expect(printed).toBe(10_001);
  expect(ahead).toBeLessThanOrEqual(1001);
});
