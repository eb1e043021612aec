import { describe, expect, it } from 'vitest';
import { smsTextUnits } from '../../../src/contract/limits.ts';
import { readTextList } from '../../../src/features/outgoing/text-list.ts';
import { readWorkbook } from '../../../src/features/bulk/workbook/read-workbook.ts';
import { workbook } from '../../support/workbook.ts';

/** A list of one person with the headings `to`, `name` and `first`. */
const rows = [
  ['to', 'name', 'first'],
  ['+16505550111', 'Dana', 'D'],
];
const problemOf = async (template: string): Promise<string | undefined> =>
  (
    await readTextList(
      { rows: (await readWorkbook(await workbook(rows), undefined)).rows, broken: [] },
      'list.xlsx',
      { ...options, template },
    )
  ).templateProblem;

const options = { template: 'Hello {{name}}', map: new Map<string, string>(), country: undefined };

it('sends no text with a cell that a spreadsheet has not calculated', async () => {
  const bytes = await workbook(
    [
      ['to', 'name', 'note'],
      ['+16505550111', 'Dana', '#N/A'],
      ['+16505550112', '#N/A', ''],
      ['+16505550113', null, null],
      ['+16505550114', '=Dana=', null],
    ],
    {
      cells: new Map([
        ['3,1', { formula: 'VLOOKUP(A4,People!A:B,2,FALSE)' }],
        ['4,2', { formula: 'A5' }],
      ]),
    },
  );
  const { rows } = await readWorkbook(bytes, undefined);
  const { texts, problems } = await readTextList({ rows, broken: [] }, 'list.xlsx', options);
  expect(texts.map(({ text }) => text)).toEqual(['Hello Dana', 'Hello =Dana=']);
  expect(problems.map(({ place, text }) => `${place?.line} ${place?.column}: ${text}`)).toEqual([
    '3 name: "#N/A" is a spreadsheet error, not a value',
    '4 name: "=VLOOKUP(A4,People!A:B,2,FALSE)" is a spreadsheet formula; replace the formula with its value',
  ]);
});

it('sends a text of the maximum length', async () => {
  const template = 'x'.repeat(smsTextUnits);
  const { texts } = await readTextList('to\n+16505550111\n', 'list.csv', { ...options, template });
  expect(texts).toMatchObject([{ text: template }]);
});

it('sends no text of only spaces', async () => {
  const { texts, problems } = await readTextList('to\n+16505550111\n', 'list.csv', {
    ...options,
    template: ' ',
  });
  expect([texts, problems.map(({ text }) => text)]).toEqual([[], ['is empty']]);
});

it('sends one text to a number in several notations', async () => {
  const list = 'to,name\n+442079460958,Dana\n+4402079460958,Dana\n020 7946 0958,Dana\n';
  const { texts, problems } = await readTextList(list, 'list.csv', { ...options, country: 'GB' });
  expect([texts, problems]).toEqual([[{ to: '+442079460958', text: 'Hello Dana', rows: [0, 1, 2] }], []]);
});

it('rejects a number with an additional digit unless it is forced', async () => {
  const list = 'to,name\n+165055501123,Dana\n';
  const { texts, problems } = await readTextList(list, 'list.csv', options);
  expect([texts, problems.map(({ text }) => text)]).toEqual([
    [],
    ['"+165055501123" is too long for a phone number of its country (to send it anyway: --force-number)'],
  ]);
  const forced = await readTextList(list, 'list.csv', { ...options, force: true });
  expect(forced.texts).toMatchObject([{ to: '+165055501123' }]);
});

it('finds the heading of a placeholder in another Unicode form', async () => {
  const [composed, decomposed] = ['Pr\u00E9nom', 'PRE\u0301NOM'];
  for (const [heading, name] of [
    [composed, decomposed],
    [decomposed, composed],
  ]) {
    const list = `to,${heading}\n+16505550111,Dana\n`;
    const { texts } = await readTextList(list, 'list.csv', { ...options, template: `Hello {{${name}}}` });
    expect(texts.map(({ text }) => text)).toEqual(['Hello Dana']);
  }
});

it('explains a number without +, which a spreadsheet removes', async () => {
  const { problems } = await readTextList('to,name\n4915112345678,Dana\n', 'list.csv', options);
  expect(problems.map(({ text }) => text)).toEqual([
    expect.stringMatching(
      /did you mean \+4915112345678\?.*\(a spreadsheet removes the \+; format the column as text\)$/,
    ),
  ]);
});

it.each(['sent', 'duplicate', 'unknown'])(
  'ignores a damaged number in a row whose result is %s, because the row is not sent',
  async (status) => {
    const csv = `to,name,result status\n4.91511E+12,Dana,${status}\n+16505550112,Ann,not sent\n1.65E+10,Bob,failed\n`;
    const { texts, problems, invalid, sent, unknown } = await readTextList(csv, 'r1.csv', options);
    expect(texts.map(({ to }) => to)).toEqual(['+16505550112']);
    expect([problems.map(({ place }) => place?.line), invalid.map(({ row }) => row)]).toEqual([[4], [2]]);
    expect([sent, unknown]).toEqual(status === 'unknown' ? [0, 1] : [1, 0]);
  },
);

describe('a template', () => {
  it.each(['{name}', '${Name}', '{{first}} {{ name }', '[Name]', '<name>', '100 % of %NAME%', '«name»'])(
    'with the placeholder of another program is not sent: %s',
    async (template) => {
      expect(await problemOf(template)).toMatch(
        /^--template: \S.* is not a placeholder; write \{\{name\}\}$/i,
      );
    },
  );

  it.each(['Hello {{name}} [sent by bot]', '{"a": 1} {{ name }}', '5 < 6 > 4, 50% or 60% {{name}}'])(
    'may have brackets without the name of a column: %s',
    async (template) => {
      expect(await problemOf(template)).toBeUndefined();
    },
  );
});
