import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ConnectionError, type HttpRequest, type HttpSend } from '../../../src/client/index.ts';
import { openOffice, type Office } from '../office.ts';

const support = 171_857_201;
const numbersIn = ({ sandbox }: Office, queue: number) =>
  sandbox.members(queue).map(({ extensionNumber }) => extensionNumber);
const isAssign = (request: HttpRequest) =>
  request.method === 'POST' && request.url.pathname.endsWith('/bulk-assign');

/** In place of the waits between tries. */
const atOnce = (): Promise<void> => Promise.resolve();

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});
async function folderWith(name: string, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-assign-'));
  folders.push(folder);
  await writeFile(join(folder, name), text);
  return folder;
}

describe('queue assign by flags', () => {
  it('shows the plan, sends one request, reads back, and prints a row for each agent', async () => {
    const office = await openOffice();
    const { run, requests } = office;
    requests();
    const result = await run(
      'queue assign --queue Support --add 105,mei.lin@example.com,102 --remove 104 --yes',
    );
    expect(result).toEqual({
      exit: 0,
      stderr: [
        'Support (201)',
        '  + Chris Smith (105)',
        '  + Mei Lin (106)',
        '  = Dana Okafor (102) is already a member',
        '  - Chris Smith (104)',
        '',
      ].join('\n'),
      stdout: [
        '201\tSupport\t105\tChris Smith\tadd\tadded\t171857201\t171857105',
        '201\tSupport\t106\tMei Lin\tadd\tadded\t171857201\t171857106',
        '201\tSupport\t102\tDana Okafor\tadd\tunchanged\t171857201\t171857102',
        '201\tSupport\t104\tChris Smith\tremove\tremoved\t171857201\t171857104',
        '',
      ].join('\n'),
    });
    expect(numbersIn(office, support)).toEqual(['102', '103', '105', '106']);
    expect(requests()).toEqual([
      'GET /account/~/extension',
      'GET /account/~/department/171857201/members',
      'POST /account/~/department/bulk-assign',
      'GET /account/~/department/171857201/members',
    ]);
  });

  it('sends no change if everything is already up to date', async () => {
    const { run, requests } = await openOffice();
    const { exit, stdout, stderr } = await run('queue assign --queue 201 --add 102 --remove 106');
    expect([exit, stderr]).toEqual([0, 'No changes: everything is already up to date.\n']);
    expect(stdout.match(/unchanged/g)).toHaveLength(2);
    expect(requests().filter((line) => line.startsWith('POST'))).toEqual([]);
  });

  it('prints the request under --dry-run and does not send it', async () => {
    const office = await openOffice();
    const { exit, stdout, stderr } = await office.run('queue assign --queue 201 --add 106 -n -o json');
    expect(exit).toBe(0);
    expect(stderr).toContain('+ Mei Lin (106)');
    expect(JSON.parse(stdout)).toMatchObject([
      {
        method: 'POST',
        body: { items: [{ departmentId: '171857201', addedExtensionIds: ['171857106'] }] },
      },
    ]);
    expect(numbersIn(office, support)).toEqual(['102', '103', '104']);
  });

  it.each(['json', 'ndjson', 'yaml', 'csv', 'tsv'])(
    'prints no rows under --dry-run without changes: %s',
    async (format) => {
      const { run } = await openOffice();
      const { exit, stdout } = await run(`queue assign --queue 201 --add 102 -n -o ${format}`);
      expect([exit, stdout.trim()]).toEqual([0, ['json', 'yaml'].includes(format) ? '[]' : '']);
    },
  );

  it.each([
    ['assign --queue 201 --remove 102,103,104', 'would have no agents left'],
    ['assign --queue 201 --remove 102,103 --max-removals 1', 'the limit is 1'],
    ['assign --queue 201 --remove 102 --protect 102', '(102) is protected'],
    ['unassign 201 102 103 104', 'would have no agents left'],
    ['unassign 201 102 103 --max-removals 1', 'the limit is 1'],
    ['unassign 201 102 --protect 102', '(102) is protected'],
  ])('queue %s sends nothing, because it exceeds a safety limit', async (words, text) => {
    const office = await openOffice();
    office.requests();
    const { exit, stderr } = await office.run(`queue ${words} --yes`);
    expect([exit, stderr]).toEqual([9, expect.stringContaining(text)]);
    expect(office.requests().filter((line) => !line.startsWith('GET'))).toEqual([]);
  });

  it('needs a confirmation, and without a terminal --yes', async () => {
    const office = await openOffice();
    const { exit, stdout } = await office.run('queue assign --queue 201 --add 106');
    expect([exit, stdout]).toEqual([9, '']);
    expect(numbersIn(office, support)).toEqual(['102', '103', '104']);
  });
});

describe('rejections before anything is sent', () => {
  it.each([
    ['--queue Nowhere --add 102', 3, /queue "Nowhere" not found/],
    ['--queue 201 --add 999', 3, /agent "999" not found/],
    ['--queue 201 --add 998,999', 3, /2 names not found/],
    [
      '--queue 201 --add "Chris Smith"',
      2,
      /"Chris Smith" matches 2 agents[^]*104 · Chris Smith[^]*105 · Chris Smith/,
    ],
    [
      '--queue 201 --add 108,109,120',
      2,
      /3 assignments are not possible[^]*Disabled[^]*Frozen[^]*Take Messages Only/,
    ],
    ['--queue 201 --add 106 --remove 106', 2, /both added to and removed/],
    ['--queue 201', 2, /no agents specified/],
    ['--add 102', 2, /the queue is missing/],
    ['--queue 201 -f x.csv', 2, /cannot be used together/],
    ['--add 102 -f x.csv', 2, /cannot be used with/],
    ['-f missing.csv', 2, /cannot read missing.csv/],
  ])('queue assign %s exits with %d', async (flags, exit, words) => {
    const { run, requests } = await openOffice();
    const result = await run(`queue assign ${flags} --yes`);
    expect(result.stderr).toMatch(words);
    expect([result.exit, result.stdout]).toEqual([exit, '']);
    expect(requests().filter((line) => line.startsWith('POST'))).toEqual([]);
  });
});

it('queue unassign without an agent names its own arguments, not the flags of queue assign', async () => {
  const { run } = await openOffice();
  const { exit, stderr } = await run('queue unassign Support --yes');
  expect([exit, stderr]).toEqual([
    2,
    'error: no agents specified\n  try:     ucctl queue unassign Support AGENT...\n',
  ]);
});

describe('queue assign from a list', () => {
  const list = [
    '\uFEFFQueue;Agent;Action',
    'Support;105;add',
    '"Support";dana.okafor@example.com;remove',
    'sales;107;ADD',
    'Billing;107;remove',
    '',
  ].join('\r\n');

  it('reads a spreadsheet file and changes several queues in one request', async () => {
    const office = await openOffice();
    const cwd = await folderWith('agents.csv', list);
    const { exit, stdout } = await office.run(
      'queue assign -f agents.csv --yes --allow-empty --fields queue,extension,status',
      { cwd },
    );
    expect([exit, stdout]).toEqual([
      0,
      '201\t105\tadded\n201\t102\tremoved\n202\t107\tadded\n203\t107\tremoved\n',
    ]);
    expect(numbersIn(office, support)).toEqual(['103', '104', '105']);
    expect(office.requests().filter((line) => line.startsWith('POST'))).toHaveLength(1);
  });

  it('reads standard input, and its own csv result is a list without changes', async () => {
    const office = await openOffice();
    const first = await office.run('queue assign -f - --yes --allow-empty -o csv', { stdin: list });
    expect(first.exit).toBe(0);
    const again = await office.run('queue assign -f - --yes --allow-empty -o csv', { stdin: first.stdout });
    expect(again.exit).toBe(0);
    expect(again.stdout.match(/unchanged/g)).toHaveLength(4);
  });

  it('reports every invalid row with file, line and column, and sends nothing', async () => {
    const office = await openOffice();
    const cwd = await folderWith(
      'agents.csv',
      'queue,extension,action\n201,1.16E+20,add\n,102,add\n201,103,swap\n',
    );
    office.requests();
    expect(await office.run('queue assign -f agents.csv --yes', { cwd })).toEqual({
      exit: 2,
      stdout: '',
      stderr: [
        'error: 3 problems in the list',
        '  agents.csv, line 2, column extension: "1.16E+20" was probably changed by a spreadsheet; format the column as text',
        '  agents.csv, line 3, column queue: is empty',
        '  agents.csv, line 4, column action: "swap" is not a valid action; use add or remove',
        '  try:     fix the list and run the command again, or skip these rows with --skip-invalid; nothing was sent',
        '',
      ].join('\n'),
    });
    expect(office.requests()).toEqual([]);
  });

  it('reports the names of the readable rows together with the cells of the others', async () => {
    const office = await openOffice();
    const stdin =
      'queue,extension,action\n201,1.16E+20,add\nSuport,102,add\n201,999,add\n201,Chris Smith,add\n201,102,swap\n';
    office.requests();
    const { exit, stderr } = await office.run('queue apply -f - --yes', { stdin });
    expect(exit).toBe(2);
    expect(stderr.split('\n').slice(0, 8)).toEqual([
      'error: 5 problems in the list',
      expect.stringContaining('stdin, line 2, column extension: "1.16E+20"'),
      '  stdin, line 3, column queue: queue "Suport" not found (did you mean Support (201)?)',
      expect.stringContaining('stdin, line 4, column extension: agent "999" not found'),
      '  stdin, line 5, column extension: "Chris Smith" matches 2 agents',
      expect.stringContaining('    104 · Chris Smith'),
      expect.stringContaining('    105 · Chris Smith'),
      expect.stringContaining('stdin, line 6, column action: "swap"'),
    ]);
    expect(office.requests().filter((line) => !line.startsWith('GET'))).toEqual([]);
    const down = await openOffice(
      'administrator',
      () => () => Promise.reject(new ConnectionError('ECONNREFUSED', 'no', 'https://x.example', undefined)),
    );
    expect((await down.run('queue plan -f -', { stdin, sleep: atOnce })).stderr).toContain(
      '2 problems in the list',
    );
  });

  it('reports contradictions and agents who cannot take calls together with everything else', async () => {
    const { run } = await openOffice();
    const rows =
      'queue,extension,action\n201,999,add\n203,105,add\n201,108,add\n203,105,remove\n201,Chris Smith,add\n';
    const { exit, stderr } = await run('queue assign -f - --yes', { stdin: rows });
    expect(exit).toBe(2);
    const problems = [
      expect.stringContaining('  stdin, line 2, column extension: agent "999" not found'),
      '  stdin, line 4, column extension: Jordan Hale (108) cannot take calls: its status is Disabled',
      '  stdin, line 5, column action: Chris Smith (105) cannot be both added to and removed from Billing (203)',
      '  stdin, line 6, column extension: "Chris Smith" matches 2 agents',
      expect.stringContaining('    104 · Chris Smith'),
      expect.stringContaining('    105 · Chris Smith'),
    ];
    expect(stderr.split('\n').slice(0, 7)).toEqual(['error: 4 problems in the list', ...problems]);
    const unreadable = await run('queue plan -f -', { stdin: `${rows}201,102,swap\n` });
    expect(unreadable.stderr.split('\n').slice(0, 8)).toEqual([
      'error: 5 problems in the list',
      ...problems,
      '  stdin, line 7, column action: "swap" is not a valid action; use add or remove',
    ]);
  });

  it('reports unknown names of a YAML list together with its syntax errors', async () => {
    const { run } = await openOffice();
    const yaml =
      'queues:\n  - queue: Suport\n    agents: [102, 103, 999]\n  - queue: Sales\n  - queue: Billing\n    agents: [108]\n';
    const { exit, stderr } = await run('queue plan -f -', { stdin: yaml });
    expect(exit).toBe(2);
    expect(stderr.split('\n').slice(0, 5)).toEqual([
      'error: 4 problems in the list',
      expect.stringMatching(/stdin, line 2, column queue: queue "Suport" not found/),
      expect.stringMatching(/stdin, line 3, column extension: agent "999" not found/),
      expect.stringMatching(/stdin, line 4, column \d+: "agents:" is missing/),
      expect.stringMatching(/stdin, line 6, column extension: Jordan Hale \(108\) cannot take calls/),
    ]);
  });

  it('reports every name that is not found, with its place', async () => {
    const { run } = await openOffice();
    const stdin = 'queue,extension,action\nSuport,102,add\n201,999,add\n201,Chris Smith,add\n';
    const { exit, stderr } = await run('queue assign -f - --yes', { stdin });
    expect(exit).toBe(2);
    expect(stderr).toContain(
      'stdin, line 2, column queue: queue "Suport" not found (did you mean Support (201)?)',
    );
    expect(stderr).toContain('stdin, line 3, column extension: agent "999" not found');
    expect(stderr).toContain('stdin, line 4, column extension: "Chris Smith" matches 2 agents');
  });
});

describe('the result of queue assign', () => {
  it('is read back: an agent that the service omitted is reported, exit 8', async () => {
    const leavesOneOut =
      (send: HttpSend): HttpSend =>
      (request) =>
        send(
          isAssign(request)
            ? { ...request, body: String(request.body).replace(',"171857106"', '') }
            : request,
        );
    const office = await openOffice('administrator', leavesOneOut);
    const result = await office.run('queue assign --queue 201 --add 105,106 --yes --fields extension,status');
    expect(result.stdout).toBe('105\tadded\n106\tfailed\n');
    expect(result.exit).toBe(8);
    expect(result.stderr).toContain('error: 1 of 2 changes was not made');
  });

  it('is the new state, not the reply: a lost reply to a completed request is a success', async () => {
    const losesAnswer =
      (send: HttpSend): HttpSend =>
      async (request) => {
        const reply = await send(request);
        if (isAssign(request))
          throw new ConnectionError('ECONNRESET', 'unknown', request.url.origin, undefined);
        return reply;
      };
    const office = await openOffice('administrator', losesAnswer);
    const result = await office.run('queue assign --queue 201 --add 105 --yes --fields status');
    expect([result.exit, result.stdout]).toEqual([0, 'added\n']);
    expect(result.stderr).toMatch(
      /warning: a request failed \(no reply from \S+ \(ECONNRESET\)\), but all changes are in effect/,
    );
    expect(office.requests().filter((line) => line.startsWith('POST'))).toHaveLength(1);
  });

  it('is reported also after Ctrl-C, which lets the request finish', async () => {
    const stop = new AbortController();
    const interrupts =
      (send: HttpSend): HttpSend =>
      async (request) => {
        if (isAssign(request)) stop.abort(new Error('interrupted'));
        return send(request);
      };
    const office = await openOffice('administrator', interrupts);
    const argv = 'queue assign --queue 201 --add 105 --yes --fields status';
    expect((await office.run(argv, { signal: stop.signal })).stdout).toBe('added\n');
  });

  it('is the rejection, if the service rejected all changes', async () => {
    const office = await openOffice('102');
    const result = await office.run('queue assign --queue 201 --add 105 --yes');
    expect(result.exit).toBe(5);
    expect(result.stdout).toBe('');
    expect(result.stderr).toContain('requires an administrator');
    expect(result.stderr).toContain('need:    an administrator');
    expect(result.stderr).toContain(
      'try:     ask an administrator, or sign in as a user with this permission',
    );
    expect(numbersIn(office, support)).toEqual(['102', '103', '104']);
  });

  it('is not unknown if the service is down, because nothing was sent', async () => {
    const down = (): HttpSend => (request) =>
      Promise.reject(new ConnectionError('ECONNREFUSED', 'no', request.url.origin, undefined));
    const office = await openOffice('administrator', down);
    const result = await office.run('queue assign --queue 201 --add 105 --yes', { sleep: atOnce });
    expect([result.exit, result.stdout]).toEqual([7, '']);
    expect(result.stderr).toMatch(/^error: /);
  });
});
