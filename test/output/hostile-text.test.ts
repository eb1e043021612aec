import { describe, expect, it } from 'vitest';
import { escapeJson, safe } from '../../src/platform/terminal-text.ts';
import { exampleNoun } from '../support/example-noun.ts';
import { runUcctl } from '../support/run-ucctl.ts';

const code = String.fromCodePoint;
/** What a service could send to a terminal, by what it would do there. */
const vectors: Readonly<Record<string, string>> = {
  color: '\x1b[31mred',
  clear: '\x1b[2J',
  title: '\x1b]0;title\x07',
  clipboard: '\x1b]52;c;aGk=\x07',
  link: '\x1b]8;;http://x\x1b\\y',
  c1csi: `${code(0x9b)}31m`,
  c1osc: `${code(0x9d)}0;t${code(0x9c)}`,
  dcs: '\x1bP1$q\x1b\\',
  apc: '\x1b_x\x1b\\',
  cr: 'a\rb',
  backspace: 'a\bb',
  nul: 'a\0b',
  bell: '\x07',
  delete: 'a\x7fb',
  newline: 'a\nb',
  tab: 'a\tb',
  override: `a${code(0x202e)}b`,
  isolate: `a${code(0x2066)}b${code(0x2069)}`,
  zeroWidth: `a${code(0x200b)}b${code(0xfeff)}`,
  tags: `a${code(0xe0041)}b`,
  surrogate: 'a\ud800b',
};
const dangerous = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const nounOf = (name: string): Parameters<typeof runUcctl>[1] => ({
  nouns: [exampleNoun({ rows: [{ id: 1, name }] })],
});

it.each([
  ['a family', '👩\u200D👩\u200D👧', '👩👩👧'],
  ['a person with a profession', '👩🏽\u200D💻 🤦\u200D♀\uFE0F', '👩🏽💻 🤦♀\uFE0F'],
  ['a Persian word', 'می\u200Cخواهم', 'میخواهم'],
  ['a Hindi word', 'क्\u200Dष', 'क्ष'],
  ['several joiners', '👩\u200D\u200D👧', '👩<U+200D><U+200D>👧'],
  ['a joiner between other letters', 'ad\u200Cmin', 'ad<U+200C>min'],
])('omits the joiners of %s only', (_name, text, shown) => {
  expect(safe(text)).toBe(shown);
});

it.each([
  ['of a family', '👩\u200D👩\u200D👧', '👩\u200D👩\u200D👧'],
  ['of a Persian word', 'می\u200Cخواهم', 'می\u200Cخواهم'],
  ['in pairs', '👩\u200D\u200D👧', '👩<U+200D><U+200D>👧'],
  ['between other letters', 'ad\u200Cmin', 'ad<U+200C>min'],
])('keeps in CSV and in texts of jq the joiners that tables omit: joiners %s', async (_name, text, shown) => {
  const csv = await runUcctl('book list -o csv --no-header --fields name', nounOf(text));
  expect(csv.stdout).toBe(`${shown}\r\n`);
  const jq = await runUcctl('book list -o json --jq .[].name', nounOf(text));
  expect(jq.stdout).toBe(`${shown}\n`);
});

describe.each(Object.entries(vectors))('%s', (_name, text) => {
  it('is escaped visibly in tables, live lines and TSV', async () => {
    expect(safe(text)).not.toMatch(dangerous);
    for (const command of [
      'book list -o table',
      'book show -o table',
      'book list -o tsv',
      'book follow -o table',
    ]) {
      const { stdout } = await runUcctl(command, nounOf(text));
      expect(stdout.replaceAll('\n', '').replaceAll('\t', '')).not.toMatch(dangerous);
      expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(5);
    }
  });

  it('is unchanged in JSON and YAML after parsing, and escaped before', async () => {
    const { parse } = await import('yaml');
    const json = (await runUcctl('book list -o ndjson', nounOf(text))).stdout;
    expect(json.trimEnd()).not.toMatch(dangerous);
    expect(JSON.parse(json)).toEqual({ id: 1, name: text });
    const yaml = (await runUcctl('book show -o yaml', nounOf(text))).stdout;
    expect(yaml.replaceAll('\n', '')).not.toMatch(dangerous);
    expect(parse(yaml)).toEqual({ id: 1, name: text });
  });

  it('is escaped in csv, and unchanged with --csv-raw', async () => {
    const { stdout } = await runUcctl('book list -o csv --no-header --fields name', nounOf(text));
    expect(stdout.replaceAll(/[\r\n\t]/g, '')).not.toMatch(dangerous);
    const raw = await runUcctl('book list -o csv --no-header --fields name --csv-raw', nounOf(text));
    expect(raw.stdout.replaceAll('"', '')).toBe(`${text}\r\n`);
  });

  it('is escaped in an error message and a note', async () => {
    const noun = exampleNoun({
      work: (ctx) => {
        ctx.out.note(`${ctx.out.style('good', 'about')} ${text}`);
        ctx.out.show(text);
        throw new TypeError(text);
      },
    });
    const { stderr } = await runUcctl('book list', { nouns: [noun] });
    expect(stderr).toContain('about ');
    expect(stderr.replaceAll('\n', '')).not.toMatch(dangerous);
  });
});

it('colours only the words of ucctl', async () => {
  const noun = exampleNoun({
    work: async (ctx) => ctx.out.note(`${ctx.out.style('good', 'ours \x1b[1m')} \x1b[31mtheirs`),
  });
  const { stderr } = await runUcctl('book list --color always', { nouns: [noun] });
  expect(stderr).toBe('\x1b[32mours ␛[1m\x1b[39m ␛[31mtheirs\n');
});

it.each([
  ['=1+1', "'=1+1"],
  ['+1+1', "'+1+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['+1', "'+1"],
  ['+16505550112 (Dana)', "'+16505550112 (Dana)"],
  ['+16505550112', '+16505550112'],
  ['plain', 'plain'],
])('escapes the csv cell %s', async (text, cell) => {
  const { stdout } = await runUcctl('book list -o csv --no-header --fields name', nounOf(text));
  expect(stdout).toBe(`${cell}\r\n`);
  const raw = await runUcctl('book list -o csv --no-header --fields name --csv-raw', nounOf(text));
  expect(raw.stdout).toBe(`${text}\r\n`);
});

it('escapes formulas in csv headings', async () => {
  const heading = '=HYPERLINK("x")';
  const noun = exampleNoun({
    work: (ctx) => ctx.out.list([{ [heading]: 1, '@a': 2, id: 3 }], { columns: [] }),
  });
  const { stdout } = await runUcctl('book list -o csv', { nouns: [noun] });
  expect(stdout).toBe(`"'=HYPERLINK(""x"")",'@a,id\r\n1,2,3\r\n`);
  const raw = await runUcctl('book list -o csv --csv-raw', { nouns: [noun] });
  expect(raw.stdout).toBe(`"=HYPERLINK(""x"")",@a,id\r\n1,2,3\r\n`);
});

it('escapes a phone cell that is not a number', async () => {
  const rows = [{ id: 1, name: 'x', phone: '+1+cmd' }];
  const { stdout } = await runUcctl('book list -o csv --no-header --fields phone', {
    nouns: [exampleNoun({ rows })],
  });
  expect(stdout).toBe("'+1+cmd\r\n");
});

it('prevents text from imitating the style marks of ucctl', async () => {
  const forged = `${code(0xfdd0)}abcdefghbstop${code(0xfdd1)}abcdefgh`;
  const noun = exampleNoun({ work: async (ctx) => ctx.out.show(forged) });
  const { stderr } = await runUcctl('book list --color always', { nouns: [noun] });
  expect(stderr).toBe('<U+FDD0>abcdefghbstop<U+FDD1>abcdefgh\n');
});

it('keeps the JSON value of any text', async () => {
  const { default: fc } = await import('fast-check');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const json = escapeJson(JSON.stringify({ text }));
      expect(JSON.parse(json)).toEqual({ text });
      expect(json).not.toMatch(dangerous);
    }),
    { numRuns: 10_000, seed: 7 },
  );
});
