import { describe, expect, it } from 'vitest';
import { readAssignments } from '../../../src/features/assignment/index.ts';
import { problemText, readMap } from '../../../src/features/bulk/index.ts';

const read = (text: string, map: readonly string[] = []) => {
  const { requests, problems } = readAssignments(text, 'a.csv', readMap(map));
  return { requests, problems: problems.map(problemText) };
};

describe('headings', () => {
  it.each([
    ['Call Queue,Ext.,Add/Remove'],
    ['CALL QUEUES,Extensions,ACTION'],
    ['Queue Number,"Ext. No.",Add or Remove?'],
    ['call-queue,Extension #,change'],
    ['Department,E-Mail Address,Operation'],
    ['Queue Name,Agent Name,Action'],
    ['Queue Name,Agent,Action,Agent Name'],
  ])('are recognized whatever their case, spaces, punctuation and plural: %s', (head) => {
    const { requests, problems } = read(`${head}\n201,102,add\n`);
    expect([problems, requests]).toMatchObject([[], [{ queue: '201', agent: '102', action: 'add' }]]);
  });

  it('are compared in one Unicode form', () => {
    const text = 'Queue,Número,Action\n201,102,add\n';
    for (const [form, other] of [
      ['NFC', 'NFD'],
      ['NFD', 'NFC'],
    ] as const) {
      const { requests, problems } = read(text.normalize(form), ['Número=extension'.normalize(other)]);
      expect([problems, requests]).toMatchObject([[], [{ agent: '102' }]]);
    }
  });

  it('may be below a title', () => {
    const { requests, problems } = read('Agents\n\nQueue,Ext.,Action\n201,102,add\n');
    expect([problems, requests]).toMatchObject([[], [{ agent: '102', place: { line: 4 } }]]);
  });

  it('are ambiguous if two columns match in the same way, until --map selects one', () => {
    const text = 'Queue,Ext.,Extension Number,Action\n201,102,103,add\n';
    expect(read(text).problems).toEqual([
      `a.csv:1:1: columns "Ext." and "Extension Number" both match the field extension; select one: --map 'Ext.=extension'`,
    ]);
    expect(read(text, ['Ext.=extension']).requests).toMatchObject([{ agent: '102' }]);
    expect(read(text, ['extension number=extension']).requests).toMatchObject([{ agent: '103' }]);
  });

  it.each([
    ['a heading that contains a known one', 'Target queue,Ext.,Comment', "--map 'Target queue=queue'"],
    ['a heading with a typing error', 'Qeue,Ext.,Comment', "--map 'Qeue=queue'"],
    ['the only heading without a field', 'Schlange,Ext.,Action', "--map 'Schlange=queue'"],
    ['none of several', 'Schlange,Ext.,Comment', '--map HEADING=queue'],
    ['no value', '201,Ext.,Action', '--map HEADING=queue'],
  ])('that are missing: the error offers %s', (_, header, hint) => {
    const [problem] = read(`${header}\n201,102,add\n`).problems;
    expect(problem).toMatch(new RegExp(`to use another heading: ${hint}$`));
  });

  it('in a suggested option are quoted, so that a shell does not run a command in them', () => {
    const [missing] = read('Target queue $(id),Ext.,Action\n201,102,add\n').problems;
    expect(missing).toMatch(/: --map 'Target queue \$\(id\)=queue'$/);
    const [ambiguous] = read('Queue,Ext.,"Extension ""Number""",Action\n201,102,103,add\n').problems;
    expect(ambiguous).toContain(`: --map 'Ext.=extension'`);
    const [other] = read('Queue,"Agent\'s ext",Action\n201,102,add\n').problems;
    expect(other).toMatch(/: --map 'Agent'\\''s ext=extension'$/);
  });

  it('that are not recognized are listed with --map', () => {
    expect(read('Schlange,Wer,Was\n201,102,add\n').problems).toEqual([
      'a.csv:1:1: column "queue" not found in the first line (Schlange, Wer, Was); required: queue, extension; to use another heading: --map HEADING=queue',
      'a.csv:1:1: column "extension" (or "agent") not found in the first line (Schlange, Wer, Was); required: queue, extension; to use another heading: --map HEADING=extension',
    ]);
  });
});
