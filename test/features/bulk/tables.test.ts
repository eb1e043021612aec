import { describe, expect, it } from 'vitest';
import {
  estimateSeconds,
  problemText,
  progressText,
  readMap,
  readShare,
  resultsCsv,
} from '../../../src/features/bulk/index.ts';
import { estimateText } from '../../../src/features/bulk/pace.ts';
import { readTable } from '../../../src/features/bulk/index.ts';
import { decodeList } from '../../../src/features/bulk/encoding.ts';
import { readAssignments, readWantedState } from '../../../src/features/assignment/index.ts';

describe('a list whose headings are its own', () => {
  const text = '\uFEFFWarteschlange;Wer;Queue\r\n501;101;"two\r\nlines"\r\n';

  it('is read by --map, and a mapped column is not taken for another field', () => {
    const map = readMap(['Warteschlange=queue', 'wer=extension']);
    expect(readAssignments(text, 'a.csv', map)).toMatchObject({
      problems: [],
      requests: [{ queue: '501', agent: '101' }],
      wanted: [{ queue: '501' }],
    });
  });

  it('may say in a first line what stands between its cells', () => {
    for (const first of ['sep=;', '\uFEFFsep=;', 'SEP=;', '"sep=;"']) {
      const { problems, requests } = readAssignments(
        `${first}\r\nqueue;extension;action\r\n501;101;add\r\n`,
        'a.csv',
      );
      expect([problems, requests]).toMatchObject([[], [{ queue: '501', agent: '101', place: { line: 3 } }]]);
    }
  });

  it('tells what is wrong with a map', () => {
    expect(() => readMap(['Queue'])).toThrow('--map takes COLUMN=FIELD, not "Queue"');
    const { problems } = readAssignments(text, 'a.csv', readMap(['Wer=who', 'Wo=queue']));
    expect(problems.map(problemText)).toEqual([
      'a.csv:1:1: --map Wer=who: there is no field "who"; fields: queue, extension',
      'a.csv:1:1: --map Wo=queue: the file has no column "Wo"',
      expect.stringContaining('there is no column "queue"'),
      expect.stringContaining('there is no column "extension"'),
    ]);
  });
});

describe('a wanted state in YAML', () => {
  it('keeps numbers as they are written, and knows queues without agents', () => {
    const text =
      'queues:\n  - queue: 0501\n    agents: [007, 12345678901234567890]\n  - queue: Sales\n    agents: []\n';
    const { requests, wanted, problems } = readWantedState(text, 'q.yaml');
    expect(problems).toEqual([]);
    expect(requests.map(({ queue, agent }) => [queue, agent])).toEqual([
      ['0501', '007'],
      ['0501', '12345678901234567890'],
    ]);
    expect(wanted.map(({ queue }) => queue)).toEqual(['0501', 'Sales']);
  });

  it('may have the queues as keys, and agents with their names', () => {
    const text = 'queues:\n  Support:\n    - agent: "102"\n      name: Dana\n    - 103\n';
    expect(readWantedState(text, 'q.yaml').requests).toMatchObject([
      { queue: 'Support', agent: '102', place: { file: 'q.yaml', line: 3 } },
      { queue: 'Support', agent: '103', place: { file: 'q.yaml', line: 5 } },
    ]);
  });

  it('reports all that is wrong, with line and column', () => {
    const text = 'queues:\n  - agents: [1]\n  - queue: A\n  - queue: B\n    agents: [[x]]\n';
    const problemsOf = (list: string) => readWantedState(list, 'q.yaml').problems.map(problemText);
    expect(problemsOf(text)).toEqual([
      'q.yaml:2:5: a queue without "queue:"',
      'q.yaml:3:5: a queue without "agents:"; an empty one has agents: []',
      'q.yaml:5:14: an agent is a text, or "- agent: NAME"',
    ]);
    expect(problemsOf('people: []')[0]).toContain('no "queues:"');
    expect(problemsOf('queues: [')[0]).toMatch(/^q\.yaml:1:\d+: /);
  });
});

describe('the results file', () => {
  const result = {
    status: 'failed',
    action: 'add',
    code: 'CMN-102',
    message: '=bad, "really"',
    requestId: 'r',
    attempts: 2,
    time: 0,
  };

  const names =
    'result status,result action,result code,result message,result request id,result attempts,result time';

  it("has the input's columns first, and replaces its own when it comes back as input", () => {
    const first = resultsCsv({ headings: ['queue', 'ext'], rows: [] }, [{ row: ['501', '1,2'], result }]);
    expect(first).toBe(
      `queue,ext,${names}\r\n` +
        '501,"1,2",failed,add,CMN-102,"\'=bad, ""really""",r,2,1970-01-01T00:00:00.000Z\r\n',
    );
    const again = resultsCsv(
      { headings: ['ext', 'result status', 'action', 'Result request id'], rows: [] },
      [{ row: ['1', 'failed', 'remove', 'old'], result }],
    );
    expect(again.split('\r\n', 2)).toEqual([
      `ext,action,${names}`,
      expect.stringMatching(/^1,remove,failed,add,CMN-102,/),
    ]);
  });

  it('leaves the columns of the list alone, whatever they are called', () => {
    const headings = ['extension', 'message', 'status', 'code', 'time', 'attempts', 'request id'];
    const row = ['101', 'Back soon', 'vip', 'A1', 'noon', '3', 'mine'];
    const lines = resultsCsv({ headings, rows: [] }, [{ row, result }]).split('\r\n');
    expect(lines[0]).toBe(`${headings.join(',')},${names}`);
    expect(lines[1]).toMatch(/^101,Back soon,vip,A1,noon,3,mine,failed,add,/);
  });
});

describe('the encoding of a list', () => {
  const text = '\uFEFFqueue,extension\nVertrieb Süd,101\n';

  it('is UTF-8, with a mark or without', () => {
    expect(decodeList(Buffer.from(text))).toBe(text);
    expect(decodeList(new Uint8Array())).toBe('');
  });

  it.each([
    ['UTF-16 (little endian)', Buffer.from(text, 'utf16le')],
    ['UTF-16 (little endian)', Buffer.from(text.slice(1), 'utf16le')],
    ['UTF-16 (big endian)', Buffer.from(text, 'utf16le').swap16()],
    ['not UTF-8, most likely Windows-1252', Buffer.from(text.slice(1), 'latin1')],
  ])('is named when it is %s', (name, bytes) => {
    expect(() => decodeList(bytes)).toThrow(name);
  });
});

describe('limits and time', () => {
  it.each([
    ['5', 200, 5],
    ['20%', 201, 40],
    ['0', 10, 0],
  ])('%s of %d is %d', (text, total, share) => expect(readShare(text, total)).toBe(share));

  it.each(['', '-1', '101%', 'half'])('refuses %j', (text) =>
    expect(() => readShare(text, 10)).toThrow(RangeError),
  );

  it.each([
    [{ Heavy: 10 }, {}, 0],
    [{ Heavy: 11 }, {}, 60],
    [{ Heavy: 1, Light: 200 }, {}, 180],
    [{ Light: 50 }, { Light: 50 }, 60],
  ])('spec:RATE-1 to RATE-4 %j after %j takes %d s', (counts, used, seconds) => {
    expect(estimateSeconds(counts, used)).toBe(seconds);
  });

  it('is told in words', () => {
    expect(estimateText({ Heavy: 1 })).toBe('less than a minute: 1 heavy request');
    expect(estimateText({ Heavy: 20, Light: 601 })).toBe('about 12 min: 20 heavy and 601 light requests');
    expect(progressText({ done: 250, failed: 1, total: 500 })).toBe(
      '[############------------]  250/500, 1 failed',
    );
  });
});

describe('a results file', () => {
  const result = { status: 'added', action: 'add', code: undefined, message: undefined } as const;
  const done = { ...result, requestId: undefined, attempts: 1, time: 0 };
  const fields = [
    { name: 'queue', headings: ['queue'], column: 'required', cell: 'required' },
    { name: 'note', headings: ['note'], column: 'optional', cell: 'optional', freeText: true },
  ] as const;
  const resultsOf = (text: string, raw = false): string => {
    const { input, rows } = readTable(text, 'a.csv', { fields });
    return resultsCsv(
      input,
      rows.map(({ cells }) => ({ row: cells, result: done })),
      { raw },
    );
  };

  it.each([
    ['queue,note\n501,"a, b"\n', 'queue,note,', '501,"a, b",added,add,,,,1,1970-01-01T00:00:00.000Z\n'],
    [
      '\uFEFFqueue;note\r\n501;a, b\r\n',
      '\uFEFFqueue;note;',
      '501;a, b;added;add;;;;1;1970-01-01T00:00:00.000Z\r\n',
    ],
    ['sep=\t\r\nqueue\tnote\r\n501\ta\r\n', 'sep=\t\r\nqueue\tnote\t', '501\ta\tadded\t'],
  ])('is written as the list %j was', (text, head, row) => {
    const written = resultsOf(text);
    expect([written.startsWith(head), written.includes(row)]).toEqual([true, true]);
    expect(written.includes('\r\n')).toBe(text.includes('\r\n'));
  });

  it('spec:CLIENT-8 guards what a spreadsheet would run, and gives it back when it is a list again', () => {
    const text = `queue,note\n501,"=HYPERLINK(""x"")"\n502,'=quoted\n503,+16505550100\n504,-5\n`;
    const once = resultsOf(text);
    const notes = (written: string): readonly string[] =>
      readTable(written, 'a.csv', { fields }).rows.map((row) => row.value('note'));
    expect(once).toContain(`501,"'=HYPERLINK(""x"")",`);
    expect(once).toContain(`502,''=quoted,`);
    expect(once).toContain('503,+16505550100,');
    expect(once).toContain("504,'-5,");
    expect(notes(once)).toEqual(notes(text));
    expect(resultsOf(once)).toBe(once);
    expect(resultsOf(text, true)).toContain('501,"=HYPERLINK(""x"")",');
  });
});
