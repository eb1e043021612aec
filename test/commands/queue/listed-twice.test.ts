import { describe, expect, it } from 'vitest';
import { openCurrent } from './open-current.ts';

const plan = async (file: string, text: string) => {
  const { run, write } = await openCurrent();
  write(file, text);
  const { exit, stderr } = await run(
    `queue plan -f ${file} ${file.endsWith('.csv') ? '--exact' : ''} --skip-invalid`,
  );
  return { exit, stderr };
};

describe('a queue that a desired state lists twice is an error', () => {
  it.each([
    [
      'with two names',
      'queues:\n  - queue: Support\n    agents: [102, 103, 104]\n  - queue: "201"\n    agents: []\n',
      'q.yaml, line 4, column queue: Support (201) is listed twice; the first entry is "Support" on line 2',
    ],
    [
      'with the same name',
      'queues:\n  - { queue: Support, agents: [102] }\n  - { queue: Support, agents: [103] }\n',
      'q.yaml, line 3, column queue: Support (201) is listed twice; the first entry is "Support" on line 2',
    ],
    [
      'as a key',
      'queues:\n  Support: [102]\n  "201": [102]\n',
      'q.yaml, line 3, column queue: Support (201) is listed twice; the first entry is "Support" on line 2',
    ],
  ])('in YAML %s', async (_, text, problem) => {
    expect(await plan('q.yaml', text)).toEqual({
      exit: 2,
      stderr: expect.stringContaining(problem) as string,
    });
  });

  it('as two columns of a matrix', async () => {
    expect(await plan('m.csv', 'extension,201 Support,Support\n102,x,\n103,,x\n')).toEqual({
      exit: 2,
      stderr: expect.stringContaining(
        'm.csv, line 1, column Support: Support (201) is listed twice; the first entry is "201" on line 1',
      ) as string,
    });
  });

  it('together with the other problems of the list', async () => {
    const { stderr } = await plan(
      'q.yaml',
      'queues:\n  - { queue: Support, agents: [[102]] }\n  - { queue: Support, agents: [103] }\n',
    );
    expect(stderr).toContain('2 problems in the list');
    expect(stderr).toContain('Support (201) is listed twice');
  });

  it('but not in a table with a row for each agent, nor next to an item with only its settings', async () => {
    const table = await plan('q.csv', 'queue,extension\nSupport,102\n201,103\nSupport,104\n');
    expect(table).toMatchObject({ exit: 0 });
    const settings = await plan(
      'q.yaml',
      'queues:\n  - { queue: Support, settings: { alertTimer: 30 } }\n  - { queue: "201", agents: [102, 103, 104] }\n',
    );
    expect(settings).toMatchObject({ exit: 0 });
  });
});

describe('an agent with two rows in a matrix', () => {
  const matrix = (...rows: readonly string[]): string =>
    ['extension,201 Support,202 Sales', '103,x,', '104,x,x', '105,,x', '106,,x', ...rows, ''].join('\n');

  it.each([
    ['other marks', ['102,x,', 'Dana Okafor,,x']],
    ['no marks in the second row', ['102,x,', 'Dana Okafor,,']],
    ['no marks in the first row', ['102,,', 'Dana Okafor,x,']],
  ])('is an error with %s', async (_, rows) => {
    expect(await plan('m.csv', matrix(...rows))).toEqual({
      exit: 2,
      stderr: expect.stringContaining(
        'm.csv, line 7, column extension: Dana Okafor (102) is listed twice; line 6 has other marks',
      ) as string,
    });
  });

  it('is not an error with the same marks', async () => {
    const { exit } = await plan('m.csv', matrix('102,x,', 'Dana Okafor,X,no'));
    expect(exit).toBe(0);
  });

  it('without marks may be unknown', async () => {
    const { exit } = await plan('m.csv', matrix('102,x,', 'Former Agent,,'));
    expect(exit).toBe(0);
  });
});
