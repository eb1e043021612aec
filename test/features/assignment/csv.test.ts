import { describe, expect, it } from 'vitest';
import { readAssignments } from '../../../src/features/assignment/index.ts';
import { problemText } from '../../../src/features/bulk/index.ts';

const read = (text: string) => {
  const list = readAssignments(text, 'agents.csv');
  return { ...list, problems: list.problems.map(problemText) };
};

describe('a readable list', () => {
  const desired = [
    { queue: 'Support', agent: '101', action: 'add' },
    { queue: '502', agent: 'bo@example.com', action: 'remove' },
  ];

  it.each([
    ['commas', 'queue,extension,action\nSupport,101,add\n502,bo@example.com,remove\n'],
    [
      'semicolons, CRLF and a byte-order mark',
      '\uFEFFQueue;Extension;Action\r\nSupport;101;Add\r\n502;bo@example.com;REMOVE\r\n',
    ],
    [
      'tabs, any order, other columns',
      'note\taction\tagent\tqueue\nx\tadd\t101\tSupport\ny\tremove\tbo@example.com\t502',
    ],
    [
      'quotes and blank lines',
      '"queue","agent","action"\n\n"Support","101","add"\n\n"502"," bo@example.com ","remove"\n',
    ],
    [
      'our own results',
      'queue,queueName,extension,agentName,action,status\nSupport,S,101,Ann,add,failed\n502,W,bo@example.com,Bo,remove,failed\n',
    ],
  ])('is read with %s', (_, text) => {
    const { requests, problems } = read(text);
    expect(problems).toEqual([]);
    expect(requests).toMatchObject(desired);
  });

  it('records the first line of a row whose cells have line breaks', () => {
    const { requests } = read(
      'queue,extension,action,note\r\n501,101,add,"two\r\nlines"\r\n501,102,add,x\r\n',
    );
    expect(requests.map(({ agent, place }) => [agent, place?.line])).toEqual([
      ['101', 2],
      ['102', 4],
    ]);
  });
});

describe('problems', () => {
  it('are found all at once, each with file, line and column', () => {
    const text = [
      'queue,extension,action',
      '501,1.16E+20,add',
      '501,101.0,add',
      ',102,add',
      '501,103,move',
      '501,104',
      '#REF!,=A1,add',
      '501,105,add',
      '501,400012345678901000,remove',
    ].join('\n');
    const { problems } = read(text);
    expect(problems).toEqual([
      'agents.csv:2:extension: "1.16E+20" was probably changed by a spreadsheet; format the column as text',
      'agents.csv:3:extension: "101.0" was probably changed by a spreadsheet; format the column as text',
      'agents.csv:4:queue: is empty',
      'agents.csv:5:action: "move" is not a valid action; use add or remove',
      'agents.csv:6:action: is empty',
      'agents.csv:7:queue: "#REF!" is a spreadsheet error, not a value',
      'agents.csv:7:extension: "=A1" is a spreadsheet formula; replace the formula with its value',
      'agents.csv:9:extension: "400012345678901000" lost its last digits in a spreadsheet; format the column as text, then enter the whole value again',
    ]);
  });

  it('name a cell without a heading; trailing empty cells are ignored', () => {
    const { problems } = read('queue,extension,action\nSupport,101,add,extra\n502,bo@example.com,remove,,\n');
    expect(problems).toEqual(['agents.csv:2:4: "extra" has no column heading']);
  });

  it('name rows that cannot be split, together with the other problems', () => {
    const { problems } = read('queue,extension,action\n501,1"0"1,add\n501,,add\n501,103,"add\n501,104,add\n');
    expect(problems).toEqual([
      'agents.csv:2:extension: a cell has a quote in the middle; enclose the whole cell in quotes and double the inner quotes',
      'agents.csv:3:extension: is empty',
      'agents.csv:4:action: a quoted cell has no closing quote; add the quote, or double each quote inside the cell',
    ]);
  });

  it.each([
    ['', ['agents.csv:1:1: the file is empty']],
    ['queue,extension,action\n', ['agents.csv:2:1: no rows below the headings']],
    [
      '501,101,add\n',
      [
        'agents.csv:1:1: column "queue" not found in the first line (501, 101, add); required: queue, extension; to use another heading: --map HEADING=queue',
        'agents.csv:1:1: column "extension" (or "agent") not found in the first line (501, 101, add); required: queue, extension; to use another heading: --map HEADING=extension',
      ],
    ],
    ['queue,extension,action,Queue\n1,2,add,3', ['agents.csv:1:1: duplicate column "Queue"']],
  ])('of the headings in %j are reported', (text, problems) => {
    expect(read(text)).toMatchObject({ requests: [], problems });
  });
});
