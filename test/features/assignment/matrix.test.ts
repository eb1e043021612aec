import { describe, expect, it } from 'vitest';
import { readAssignments } from '../../../src/features/assignment/index.ts';
import { problemText } from '../../../src/features/bulk/index.ts';

const read = (text: string) => {
  const list = readAssignments(text, 'm.csv');
  return { ...list, problems: list.problems.map(problemText) };
};

describe('a matrix of agents and queues', () => {
  it.each([
    [
      'as it is exported',
      'extension,agentName,201 Support,202 Sales,203 Billing\r\n101,Ann,x,,\r\n102,Bo,X,1,\r\n',
    ],
    [
      'out of a spreadsheet',
      '\uFEFFsep=;\r\nAgent Name;Agent;201 Support;202 Sales;203 Billing;Note\r\n;101;yes;no;;"a\r\nb"\r\n;102;TRUE;x;-;\r\n',
    ],
    ['with names of its own', 'ext,201,202,203\n101,x,,\n102,x,x,\n'],
    [
      'with an added column of a queue',
      'extension,201 Support,Absent,202,203 Billing,Days,Note\n101,x,no,,,0,\n102,X,yes,x,,1,a\n',
    ],
  ])('is read %s', (_, text) => {
    const { requests, desired, problems, input } = read(text);
    expect(problems).toEqual([]);
    expect(desired.map(({ queue }) => queue)).toEqual(['201', '202', '203']);
    expect(requests.map(({ queue, agent, action, row }) => [queue, agent, action, row])).toEqual([
      ['201', '101', 'add', 0],
      ['201', '102', 'add', 1],
      ['202', '102', 'add', 2],
    ]);
    // A result is a list that can be given again.
    expect([input.headings, input.rows[2]]).toEqual([
      ['queue', 'extension', 'action'],
      ['202', '102', 'add'],
    ]);
  });

  it('reports every invalid cell with its place', () => {
    const { problems } = read(
      'extension,201 Support,202 Sales,201 Again\n1.16E+20,x,,\n,x,,\n102,maybe,x,\n"10""3,x,,\n',
    );
    expect(problems).toEqual([
      'm.csv:1:201 Again: duplicate column for this queue',
      'm.csv:2:extension: "1.16E+20" was probably changed by a spreadsheet; format the column as text',
      'm.csv:3:extension: is empty',
      'm.csv:4:201 Support: "maybe" is not a valid mark; use x or an empty cell',
      expect.stringMatching(/^m.csv:5:/),
    ]);
  });

  it('has a problem for a mark of merged cells, which belongs to several agents', () => {
    const rows = [
      { line: 1, cells: ['extension', '201 Support', 'note'] },
      { line: 2, cells: ['101', 'x', 'a'] },
      {
        line: 3,
        cells: ['102', '', ''],
        merged: new Map([
          [1, 'B2:B3'],
          [2, 'C2:C3'],
        ]),
      },
    ];
    const { problems } = readAssignments({ rows, broken: [] }, 'm.xlsx');
    expect(problems.map(problemText)).toEqual([
      'm.xlsx:3:201 Support: is covered by the merged cells B2:B3; unmerge the cells, and enter the value of each row',
    ]);
  });

  it.each(['Department', 'Group', 'Call group', 'Queue name'])(
    'is read with an added column %s whose values are names of queues',
    (heading) => {
      const { requests, desired, problems } = read(
        `extension,agentName,${heading},201 Support,202 Sales\n101,Ann,Support,x,x\n102,Bo,Sales,,x\n`,
      );
      expect(problems).toEqual([]);
      expect(desired.map(({ queue }) => queue)).toEqual(['201', '202']);
      expect(requests.map(({ queue, agent }) => `${queue} ${agent}`)).toEqual([
        '201 101',
        '202 101',
        '202 102',
      ]);
    },
  );

  it.each([
    ['an invalid mark', 'extension,Department,201 Support,202 Sales\n101,Support,x,maybe\n'],
    ['no mark', 'extension,Department,201 Support,202 Sales\n101,Support,,\n'],
    ['a numbered column of notes', 'extension,Department,24 hours,Note\n101,Support,since May,\n'],
  ])('is ambiguous with a column of departments and %s', (_, text) => {
    const { requests, desired, problems } = read(text);
    expect([requests, desired]).toEqual([[], []]);
    expect(problems).toEqual([
      expect.stringMatching(
        /^m\.csv:1:Department: columns "Department" and "(?:201 Support|24 hours)" both specify queues; to use only "Department": --map 'Department=queue'; to use the columns of queues, delete "Department"/,
      ),
    ]);
  });

  it('is a list if --map selects the column of departments, or if the list has a column queue', () => {
    const text = 'extension,Department,201 Support\n101,Sales,x\n';
    const mapped = readAssignments(text, 'm.csv', new Map([['Department', 'queue']]));
    const named = readAssignments(text.replace('Department', 'Queue'), 'm.csv');
    for (const { requests } of [mapped, named])
      expect(requests).toMatchObject([{ queue: 'Sales', agent: '101' }]);
  });

  describe('with columns that its user added', () => {
    const unread = (heading: string): string =>
      `m.csv: column "${heading}" is not read as a queue; to read it, mark its agents with x and leave all other cells empty`;

    it.each([
      ['yes', ['yes', '', 'no', '']],
      ['1', ['1', '1', '', '0']],
      ['true and one other value', ['true', 'true', 'true', 'sick']],
      ['few crosses among notes', ['x', 'until May', 'back in June', '']],
    ])('warns that a column with %s is not read as a queue', (_, cells) => {
      const rows = cells.map((cell, index) => `10${index},x,${cell},\n`).join('');
      const { desired, problems, warnings } = read(`extension,201 Support,Billing,Note\n${rows}`);
      expect([desired.map(({ queue }) => queue), problems, warnings]).toEqual([
        ['201'],
        [],
        [unread('Billing')],
      ]);
    });

    it('is silent about columns that are not queues, and about columns that are read', () => {
      const { desired, warnings } = read(
        'extension,agentName,201 Support,Billing,Floor,Note,Status\n101,y,x,,1,,1\n102,Bo,,x,2,a,1\n103,Cy,x,no,2,no,1\n',
      );
      expect([desired.map(({ queue }) => queue), warnings]).toEqual([['201', 'Billing'], []]);
    });

    it('reports an invalid cell of a column with crosses', () => {
      const { desired, problems, warnings } = read(
        'extension,201 Support,Billing\n101,x,x\n102,x,\n103,x,X\n104,x,maybe\n',
      );
      expect([desired.map(({ queue }) => queue), warnings]).toEqual([['201', 'Billing'], []]);
      expect(problems).toEqual(['m.csv:5:Billing: "maybe" is not a valid mark; use x or an empty cell']);
    });
  });

  it.each([
    ['who', 'Who'],
    ['team lead', 'Team-Lead'],
  ])('has the agents of --map %s=extension in the column %s', (name, heading) => {
    const map = new Map([[name, 'extension']]);
    const { requests, problems } = readAssignments(`${heading},201,Sales\n101,x,\n102,,x\n`, 'm.csv', map);
    expect([problems, requests.map(({ queue, agent }) => `${queue} ${agent}`)]).toEqual([
      [],
      ['201 101', 'Sales 102'],
    ]);
  });

  it.each([
    ['team', 'queue', '--map team=queue: column "team" not found in the file'],
    ['todo', 'action', '--map todo=action: column "todo" not found in the file'],
    ['note', 'remark', '--map note=remark: "remark" is not a valid field'],
  ])('reports --map %s=%s, which does not fit', (heading, field, problem) => {
    const map = new Map([[heading, field]]);
    const { problems } = readAssignments('extension,note,201 Support\n101,,x\n', 'm.csv', map);
    expect(problems.map(problemText)).toContainEqual(expect.stringContaining(problem));
  });

  it.each(['extension,team\n101,Support\n', 'extension,note\n101,\n', 'extension,action\n101,add\n'])(
    'is not detected without a queue: %j',
    (text) => expect(read(text).problems[0]).toContain('column "queue" not found'),
  );
});
