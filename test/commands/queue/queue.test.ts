import { describe, expect, it } from 'vitest';
import { openOffice } from '../office.ts';

describe('queue list', () => {
  it('writes tab-separated rows when piped', async () => {
    const { run } = await openOffice();
    expect(await run('queue list')).toEqual({
      exit: 0,
      stderr: '',
      stdout:
        '171857201\t201\tSupport\tEnabled\n171857202\t202\tSales\tEnabled\n171857203\t203\tBilling\tEnabled\n',
    });
  });

  it('counts agents on request, as a table on a terminal', async () => {
    const { run, requests } = await openOffice();
    const { stdout } = await run('queue list --members --color never', { terminal: 80 });
    expect(stdout).toBe(
      [
        'ID         NUMBER  NAME     STATUS   AGENTS',
        '171857201  201     Support  Enabled       3',
        '171857202  202     Sales    Enabled       3',
        '171857203  203     Billing  Enabled       1',
        '',
      ].join('\n'),
    );
    expect(requests()).toHaveLength(4);
  });

  it.each(['--json=name,members', '--fields members'])('requires --members for %s', async (flags) => {
    const { run, requests } = await openOffice();
    const { exit, stdout, stderr } = await run(`queue list ${flags}`);
    expect([exit, stdout, requests()]).toEqual([2, '', []]);
    expect(stderr).toContain('the field members requires --members');
    expect((await run(`queue list --members ${flags}`)).exit).toBe(0);
  });

  it('writes the whole records as one JSON array', async () => {
    const { run } = await openOffice();
    const queues = JSON.parse((await run('queue list -o json')).stdout) as Record<string, unknown>[];
    expect(queues).toHaveLength(3);
    expect(queues[0]).toMatchObject({
      id: 171_857_201,
      extensionNumber: '201',
      name: 'Support',
      type: 'Department',
    });
    expect(queues[0]).not.toHaveProperty('members');
  });
});

describe('queue members', () => {
  it.each(['201', 'support', '171857201'])('finds the queue by %s', async (name) => {
    const { run } = await openOffice();
    expect((await run(`queue members ${name}`)).stdout).toBe(
      [
        '171857102\t102\tDana Okafor\tdana.okafor@example.com\tEnabled',
        '171857103\t103\tJosé Álvarez\tjose.alvarez@example.com\tEnabled',
        '171857104\t104\tChris Smith\tchris.smith@example.com\tEnabled',
        '',
      ].join('\n'),
    );
  });

  it('exits with 3 and suggestions for an unknown queue', async () => {
    const { run } = await openOffice();
    expect(await run('queue members Suport')).toEqual({
      exit: 3,
      stdout: '',
      stderr: 'error: queue "Suport" not found\n  try:     did you mean Support (201)?\n',
    });
    const { stderr } = await run('queue members Suport -o json');
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'not_found', exit: 3 } });
  });

  it('reports the type of an extension that is not a queue', async () => {
    const { run } = await openOffice();
    const { exit, stderr } = await run('queue members 102');
    expect(exit).toBe(3);
    expect(stderr).toContain('"102" is not a queue: 102 · Dana Okafor');
  });
});
