import { describe, expect, it } from 'vitest';
import {
  estimateSeconds,
  isYamlList,
  problemText,
  progressText,
  readMap,
  readShare,
} from '../../../src/features/bulk/index.ts';
import { estimateText } from '../../../src/features/bulk/pace.ts';
import { readTable } from '../../../src/features/bulk/index.ts';
import { resultsTable, tableCsv, type RowResult, type RunInput } from '../../../src/features/bulk/results.ts';
import { rowsOfList } from '../../../src/features/bulk/rows.ts';
import { decodeText } from '../../../src/features/bulk/encoding.ts';
import { readAssignments, readDesiredState } from '../../../src/features/assignment/index.ts';

/** The results file of a list whose rows have the same result. */
function resultsFile(input: RunInput, result: RowResult, raw = false): string {
  const outcomes = input.rows.map((_, index) => ({ rows: [index], result }));
  return tableCsv(resultsTable(input, outcomes), raw);
}

describe('a list without quotes', () => {
  it('has the same rows as with quotes, which the parser of quotes reads', () => {
    const lines = [
      'queue,extension,action',
      '501, 101 ,add',
      '',
      '501,102',
      ' ',
      '\t,x,y,z',
      '501,103,remove',
    ];
    for (const newline of ['\n', '\r\n'])
      for (const start of ['', '\uFEFF'])
        for (const end of ['', newline, newline + newline]) {
          const plain = start + lines.join(newline) + end;
          const quoted = plain.replace('queue,', '"queue",');
          expect(rowsOfList(plain)).toEqual(rowsOfList(quoted));
        }
  });
});

describe('a list with custom headings', () => {
  const text = '\uFEFFWarteschlange;Wer;Queue\r\n501;101;"two\r\nlines"\r\n';

  it('is read by --map, and a mapped column is not taken for another field', () => {
    const map = readMap(['Warteschlange=queue', 'wer=extension']);
    expect(readAssignments(text, 'a.csv', map)).toMatchObject({
      problems: [],
      requests: [{ queue: '501', agent: '101' }],
      desired: [{ queue: '501' }],
    });
  });

  it('may name its separator in the first line', () => {
    for (const first of ['sep=;', '\uFEFFsep=;', 'SEP=;', '"sep=;"']) {
      const { problems, requests } = readAssignments(
        `${first}\r\nqueue;extension;action\r\n501;101;add\r\n`,
        'a.csv',
      );
      expect([problems, requests]).toMatchObject([[], [{ queue: '501', agent: '101', place: { line: 3 } }]]);
    }
  });

  it.each([
    ['to;Name, Vorname', ['to', 'Name, Vorname']],
    ['Name, Vorname, Ort;to', ['Name, Vorname, Ort', 'to']],
    ['to, name', ['to', ' name']],
    ['to,name', ['to', 'name']],
  ])('has the separator of its headings: %s', (line, headings) => {
    expect(rowsOfList(`${line}\n1;2\n`).rows[0]?.cells).toEqual(headings);
  });

  it.each([',', ';', '\t'])('may begin with empty lines, with the separator %j', (separator) => {
    for (const start of ['\n\n', '\r\n', ' \n', '\uFEFF\n']) {
      const list = `${start}queue,extension,action\n501,101,add\n`.replaceAll(',', separator);
      expect(readAssignments(list, 'a.csv')).toMatchObject({ problems: [], requests: [{ queue: '501' }] });
    }
  });

  it('reports the problems of a map', () => {
    expect(() => readMap(['Queue'])).toThrow('--map: "Queue" is not valid');
    const { problems } = readAssignments(text, 'a.csv', readMap(['Wer=who', 'Wo=queue']));
    expect(problems.map(problemText)).toEqual([
      'a.csv:1:1: --map Wer=who: "who" is not a valid field; use one of: queue, extension',
      'a.csv:1:1: --map Wo=queue: column "Wo" not found in the file; columns: Warteschlange, Wer, Queue',
      expect.stringContaining('column "queue" not found'),
      expect.stringContaining('column "extension" (or "agent") not found'),
    ]);
  });
});

describe('a desired state in YAML', () => {
  it('is recognized by its first key, after comments and empty lines, also with CRLF', () => {
    const heads = ['', '\uFEFF', '---\n', '# Queues\n\n  # of May\n', '# Queues\r\n\r\n---\r\n'];
    for (const head of heads) {
      expect(isYamlList(`${head}queues:\r\n  - queue: 1`, 'list', 'queues')).toBe(true);
      expect(isYamlList(`${head}{ "queues": [] }`, 'list', 'queues')).toBe(true);
      expect(isYamlList(`${head}queue,agent\n1,2\n`, 'list', 'queues')).toBe(false);
    }
    expect(isYamlList('queue,agent', 'list.YML', 'queues')).toBe(true);
  });

  it('is not searched for longer than the list, below many empty lines', () => {
    expect(isYamlList(`${'\n'.repeat(10_000)}queue,agent\n`, 'list', 'queues')).toBe(false);
    expect(isYamlList(`${' \r\n# \n'.repeat(10_000)}queue,agent\n`, 'list', 'queues')).toBe(false);
  });

  it('keeps numbers as they are written, and accepts queues without agents', () => {
    const text =
      'queues:\n  - queue: 0501\n    agents: [007, 12345678901234567890]\n  - queue: Sales\n    agents: []\n';
    const { requests, desired, problems } = readDesiredState(text, 'q.yaml');
    expect(problems).toEqual([]);
    expect(requests.map(({ queue, agent }) => [queue, agent])).toEqual([
      ['0501', '007'],
      ['0501', '12345678901234567890'],
    ]);
    expect(desired.map(({ queue }) => queue)).toEqual(['0501', 'Sales']);
  });

  it('may have queues as keys, and agents with their names', () => {
    const text = 'queues:\n  Support:\n    - agent: "102"\n      name: Dana\n    - 103\n';
    expect(readDesiredState(text, 'q.yaml').requests).toMatchObject([
      { queue: 'Support', agent: '102', place: { file: 'q.yaml', line: 3 } },
      { queue: 'Support', agent: '103', place: { file: 'q.yaml', line: 5 } },
    ]);
  });

  it('reports all problems, with line and column', () => {
    const text = 'queues:\n  - agents: [1]\n  - queue: A\n  - queue: B\n    agents: [[x]]\n';
    const problemsOf = (list: string) => readDesiredState(list, 'q.yaml').problems.map(problemText);
    expect(problemsOf(text)).toEqual([
      'q.yaml:2:5: "queue:" is missing',
      'q.yaml:3:5: "agents:" is missing; for a queue without agents, write agents: []',
      'q.yaml:5:14: an agent must be a name or "- agent: NAME"',
    ]);
    expect(problemsOf('people: []')[0]).toContain('the list "queues:" is missing');
    expect(problemsOf('queues: [')[0]).toMatch(/^q\.yaml:1:\d+: /);
  });

  // A half-edited file, or an unset variable of a template, must not remove all agents of a queue.
  it.each([
    ['queues:\n  - queue: Sales\n    agents:\n', 2],
    ['queues:\n  - queue: Sales\n    agents:\n      # - 102\n  - queue: B\n    agents: [1]\n', 2],
    ['queues:\n  - { queue: Sales, agents: "" }\n', 2],
    ['queues:\n  Sales:\n  B: [1]\n', 2],
  ])('does not read missing agents as none: %j', (list, line) => {
    const { problems } = readDesiredState(list, 'q.yaml');
    expect(problems).toMatchObject([
      { place: { line }, text: 'the agents of "Sales" are missing; for a queue without agents, write []' },
    ]);
  });

  // A template writes ~ or null for an unset variable. As the name of an agent, ~ is the signed-in user.
  it.each(['~', 'null', 'Null', 'NULL'])('reads %s without quotes as a missing name', (word) => {
    const list = `queues:\n  - queue: A\n    agents: [${word}, 102]\n  - queue: B\n    name: ${word}\n    agents:\n      - agent: ${word}\n  - queue: ${word}\n    agents: [1]\n  - queue: C\n    agents: ${word}\n`;
    const { problems, requests, labels } = readDesiredState(list, 'q.yaml');
    expect(problems.map(problemText)).toEqual([
      'q.yaml:3:14: an agent must be a name or "- agent: NAME"',
      'q.yaml:7:9: an agent must be a name or "- agent: NAME"',
      'q.yaml:8:12: the queue name is empty',
      'q.yaml:10:12: the agents of "C" are missing; for a queue without agents, write []',
    ]);
    expect([requests.map(({ agent }) => agent), labels]).toEqual([['102'], []]);
    const quoted = readDesiredState(`queues:\n  - queue: A\n    agents: ["${word}"]\n`, 'q.yaml');
    expect(quoted).toMatchObject({ problems: [], requests: [{ agent: word }] });
  });

  it('rejects keys and queues that are written twice, so that no agents are ignored', () => {
    const problemsOf = (list: string) => readDesiredState(list, 'q.yaml').problems.map(problemText);
    expect(problemsOf('queues:\n  - queue: A\n    agents: [1]\n    agents: [2]\n')).toEqual([
      expect.stringMatching(/^q\.yaml:4:5: Map keys must be unique$/),
    ]);
    expect(problemsOf('queues:\n  - queue: A\n    agents: [1]\nqueues: []\n')).toEqual([
      expect.stringMatching(/^q\.yaml:4:1: Map keys must be unique$/),
    ]);
    expect(problemsOf('queues:\n  A: [1]\n  A: [2]\n')).toEqual([
      expect.stringMatching(/^q\.yaml:3:3: Map keys must be unique$/),
    ]);
  });

  it('rejects a second document, whose queues would be ignored', () => {
    const list = 'queues:\n  - queue: A\n    agents: [1]\n---\nqueues: []\n';
    expect(readDesiredState(list, 'q.yaml').problems.map(problemText)).toEqual([
      'q.yaml:4:1: a second document begins here, but a list is one document; move its entries into the first one',
    ]);
  });

  it('rejects aliases', () => {
    const list = 'queues:\n  - queue: A\n    agents: &all [1]\n  - queue: B\n    agents: *all\n';
    expect(readDesiredState(list, 'q.yaml').problems.map(problemText)).toEqual([
      'q.yaml:5:13: "*all" is an alias, which ucctl does not read; write the value itself',
    ]);
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

  it('begins with the columns of the input, and replaces its own when it is used as input', () => {
    const first = resultsFile({ headings: ['queue', 'ext'], rows: [['501', '1,2']] }, result);
    expect(first).toBe(
      `queue,ext,${names}\r\n` +
        '501,"1,2",failed,add,CMN-102,"\'=bad, ""really""",r,2,1970-01-01T00:00:00.000Z\r\n',
    );
    const again = resultsFile(
      {
        headings: ['ext', 'result status', 'action', 'Result request id'],
        rows: [['1', 'failed', 'remove', 'old']],
      },
      result,
    );
    expect(again.split('\r\n', 2)).toEqual([
      `ext,action,${names}`,
      expect.stringMatching(/^1,remove,failed,add,CMN-102,/),
    ]);
  });

  it('keeps the columns of the list, whatever their names', () => {
    const headings = ['extension', 'message', 'status', 'code', 'time', 'attempts', 'request id'];
    const row = ['101', 'Back soon', 'vip', 'A1', 'noon', '3', 'mine'];
    const lines = resultsFile({ headings, rows: [row] }, result).split('\r\n');
    expect(lines[0]).toBe(`${headings.join(',')},${names}`);
    expect(lines[1]).toMatch(/^101,Back soon,vip,A1,noon,3,mine,failed,add,/);
  });
});

/** Encodes a text in Windows-1252, which has some signs that Latin-1 lacks. */
function windows1252(text: string): Buffer {
  const signs = new Map([
    ['„', 0x84],
    ['…', 0x85],
    ['†', 0x86],
    ['“', 0x93],
    ['”', 0x94],
    ['–', 0x96],
  ]);
  return Buffer.from(Array.from(text, (letter) => signs.get(letter) ?? letter.charCodeAt(0)));
}

describe('the encoding of a list', () => {
  const text = '\uFEFFqueue,extension\nVertrieb Süd,101\n';

  it('is UTF-8, with a mark or without', () => {
    expect(decodeText(Buffer.from(text))).toEqual({ text, encoding: 'UTF-8' });
    expect(decodeText(new Uint8Array())).toEqual({ text: '', encoding: 'UTF-8' });
  });

  it.each([
    ['UTF-16 (little endian)', Buffer.from(text, 'utf16le')],
    ['UTF-16 (little endian)', Buffer.from(text.slice(1), 'utf16le')],
    ['UTF-16 (big endian)', Buffer.from(text, 'utf16le').swap16()],
    ['UTF-16 (big endian)', Buffer.from(text.slice(1), 'utf16le').swap16()],
    ['Windows-1252', Buffer.from(text.slice(1), 'latin1')],
  ])('may be %s; the text then has a mark, as has the results file', (encoding, bytes) => {
    expect(decodeText(bytes)).toEqual({ text, encoding });
  });

  it.each(['\uAC00\u4100,\u0100\n\uAC00,101\r\n', 'name,ext\n\uAC00\u3000\uAC00,101\n'])(
    'may be UTF-16 without a mark, also if characters have a zero byte: %j',
    (list) => {
      const little = Buffer.from(list, 'utf16le');
      const read = `\uFEFF${list}`;
      expect(decodeText(little)).toEqual({ text: read, encoding: 'UTF-16 (little endian)' });
      expect(decodeText(little.swap16())).toEqual({ text: read, encoding: 'UTF-16 (big endian)' });
    },
  );

  it('has the characters of Windows-1252 that Latin-1 lacks', () => {
    expect(decodeText(Buffer.from([0x80, 0x31, 0x30, 0x20, 0x96, 0x20, 0xfc])).text).toBe('\uFEFF€10 – ü');
  });

  it.each(['José', 'Michałowski', 'Österreich', '100 €', '„Süd“', '中文', 'Анна', '😀', '\uFEFF'])(
    'is rejected if a line is UTF-8 and another is not: %s',
    (name) => {
      const lines = (utf8: string, windows: string): Uint8Array =>
        Buffer.concat([Buffer.from(utf8), Buffer.from(windows, 'latin1')]);
      const message = 'the file has two encodings: UTF-8 in line 1, and another encoding in line';
      expect(() => decodeText(lines(`${name}\r\nAnn\r\n`, 'Müller'))).toThrow(
        `${message} 3; convert all lines to UTF-8`,
      );
      expect(() => decodeText(lines(name, ';Müller\n'))).toThrow(`${message} 1;`);
    },
  );

  it.each([
    '„Spa\u00DF“ und \u00BBGru\u00DF\u00AB, M\u00FCller',
    '\u00AB caf\u00E9\u00A0\u00BB, CAF\u00C9…',
    'MA\u00C7\u00C3… “IRM\u00C3” MANH\u00C3–NOITE',
    'CAF\u00C9\u00AE, STRAU\u00DF†, \u00C5…',
  ])('is Windows-1252 if punctuation follows its letters: %s', (line) => {
    expect(decodeText(windows1252(`${line} ü`))).toEqual({
      text: `\uFEFF${line} ü`,
      encoding: 'Windows-1252',
    });
  });

  it.each([
    ['not a text file', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff])],
    ['the file is not valid UTF-16', Buffer.from([0xff, 0xfe, 0x31, 0x00, 0x32])],
  ])('is rejected if the list is %s', (reason, bytes) => {
    expect(() => decodeText(bytes)).toThrow(reason);
  });
});

describe('limits and time', () => {
  it.each([
    ['5', 200, 5],
    ['20%', 201, 40],
    ['0', 10, 0],
  ])('%s of %d is %d', (text, total, share) => expect(readShare(text, total)).toBe(share));

  it.each(['', '-1', '101%', 'half'])('rejects %j', (text) =>
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

  it('has a text', () => {
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
    { name: 'queue', headings: [['queue']], column: 'required', cell: 'required' },
    { name: 'note', headings: [['note']], column: 'optional', cell: 'optional', freeText: true },
  ] as const;
  const resultsOf = (text: string, raw = false): string => {
    const { input, rows } = readTable(text, 'a.csv', { fields });
    return resultsFile({ ...input, rows: rows.map(({ cells }) => cells) }, done, raw);
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

  it('spec:CLIENT-8 escapes formulas for spreadsheets, and restores them when it is used as a list', () => {
    const text = `queue,note\n501,"=HYPERLINK(""x"")"\n502,''=quoted\n503,+16505550100\n504,-5\n`;
    const once = resultsOf(text);
    const notes = (written: string): readonly string[] =>
      readTable(written, 'a.csv', { fields }).rows.map((row) => row.value('note'));
    expect(once).toContain(`501,"'=HYPERLINK(""x"")",`);
    expect(once).toContain(`502,''=quoted,`);
    expect(once).toContain('503,+16505550100,');
    expect(once).toContain("504,'-5,");
    expect(notes(once)).toEqual(notes(text));
    expect(notes(text)[1]).toBe("'=quoted");
    expect(notes("queue,note\n501,'=SUM(1)\n502,'t Hooft\n503,'quoted'\n")).toEqual([
      '=SUM(1)',
      "'t Hooft",
      "'quoted'",
    ]);
    expect(resultsOf(once)).toBe(once);
    expect(resultsOf(text, true)).toContain('501,"=HYPERLINK(""x"")",');
  });

  it('spec:CLIENT-8 escapes formulas in headings, and restores them when it is used as a list', () => {
    const text = `queue,=1+1,'@note\n501,a,b\n`;
    const once = resultsOf(text);
    expect(once).toMatch(/^queue,'=1\+1,'@note,/);
    expect(resultsOf(once)).toBe(once);
    expect(readTable(once, 'a.csv', { fields }).headings.slice(0, 3)).toEqual(['queue', '=1+1', '@note']);
    expect(resultsOf(once, true)).toMatch(/^queue,=1\+1,@note,/);
  });
});
