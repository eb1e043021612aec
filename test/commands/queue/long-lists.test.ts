import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fillLargeOffice } from '../../support/large-office.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

const agents = 120;
/** The agents of the queue before the list is applied. The list names all agents. */
const list = (numbers: readonly number[]): string =>
  `queue,extension\n${numbers.map((at) => `50000,${10_000 + at}\n`).join('')}`;
const first = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

/** An office whose queue 50000 has `members` agents, and a list with `listed` agents. */
async function openList(members: number, listed: number) {
  const cwd = temporaryFolder();
  const database = join(cwd, 'office.db');
  fillLargeOffice(database, { agents, queues: 1, members: () => first(members) });
  writeFileSync(join(cwd, 'a b.csv'), list(first(listed)));
  const office = await openOffice('administrator', undefined, database);
  const at = { cwd, paths: temporaryPaths(), terminal: 80, env: { NO_COLOR: '1' } };
  const run = (command: string, more = {}) =>
    office.run([...command.split(' '), '-f', 'a b.csv', '--exact'], { ...at, ...more });
  return { run };
}

describe('a long list', () => {
  it('with few changes shows who changes, without the other agents', async () => {
    const { run } = await openList(agents - 1, agents);
    for (const command of ['queue plan', 'queue apply --dry-run']) {
      const { stderr } = await run(command);
      expect(stderr).toContain('Queue 50000 (50000)\n  + Agent 10119 (10119)\n');
      expect(stderr).not.toContain('already a member');
    }
  });

  it('with many changes names the command that lists them', async () => {
    const { run } = await openList(1, agents);
    for (const command of ['queue plan', 'queue apply --dry-run']) {
      const { stderr } = await run(command);
      expect(stderr).toContain('Queue 50000 (50000)  +119\n');
      expect(stderr).toContain("Names: ucctl queue plan -f 'a b.csv' --exact -o csv\n");
    }
    const { stdout } = await run('queue plan -o csv', { terminal: undefined });
    expect(stdout).toContain('add,50000,Queue 50000,10119,Agent 10119');
  });

  it('shows only the changes after the run, but all rows in a pipe', async () => {
    const { run } = await openList(agents - 1, agents);
    const shown = await run('queue apply --yes');
    expect(shown.stdout.trimEnd().split('\n')).toHaveLength(2);
    expect(shown.stdout).toMatch(/Agent 10119 .*added/);
    expect(shown.stderr).toContain('119 already up to date.\n');
    const again = await run('queue apply --yes');
    expect([again.stdout, again.stderr]).toEqual([
      '',
      expect.stringContaining('No changes: everything is already up to date.\n'),
    ]);
    const piped = await run('queue apply --yes', { terminal: undefined });
    expect(piped.stdout.match(/unchanged/g)).toHaveLength(agents);
  });

  it('has the changes first in the plan of a pipe', async () => {
    const { run } = await openList(agents, agents - 1);
    const { stdout } = await run('queue plan', { terminal: undefined });
    const rows = stdout.trimEnd().split('\n');
    expect([rows.length, rows[0]]).toEqual([agents, expect.stringMatching(/^remove\t50000\t/)]);
    expect(rows[1]).toMatch(/^none\t/);
  });
});
