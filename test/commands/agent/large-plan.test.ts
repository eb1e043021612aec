import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fillLargeOffice } from '../../support/large-office.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

async function openDesk(people: number) {
  const cwd = temporaryFolder();
  const database = join(cwd, 'office.db');
  fillLargeOffice(database, {
    agents: 120,
    queues: 1,
    members: () => Array.from({ length: 120 }, (_, at) => at),
  });
  const office = await openOffice('administrator', undefined, database, { dialect: 'current' });
  const env = { UCCTL_BASE_URL: office.sandbox.url, UCCTL_DIALECT: 'current', NO_COLOR: '1' };
  const at = { cwd, paths: temporaryPaths(), env };
  const agents = JSON.parse((await office.run('agent list -o json', at)).stdout) as { id: string }[];
  const lines = agents.slice(-people).map(({ id }) => `${id},Night shift`);
  writeFileSync(join(cwd, 'my people.csv'), `agent,department\n${lines.join('\n')}\n`);
  return (line: string) =>
    office.run(
      line.split(' ').map((word) => word.replace('_', ' ')),
      { ...at, terminal: 150 },
    );
}

const note = "Values: ucctl agent plan -f 'my people.csv' -o csv\n";

it('a plan of more than 100 people names the command that lists the values', async () => {
  const run = await openDesk(110);
  const plan = await run('agent plan -f my_people.csv');
  expect(plan.stderr).toContain(note);
  const dry = await run('agent apply -f my_people.csv --max-changes 100% --dry-run');
  expect(dry.stderr).toContain(note);
  expect((await run('agent plan -f my_people.csv -o csv')).stdout.match(/,Night shift,/g)).toHaveLength(110);
});

it('a plan that shows the values names no command', async () => {
  const run = await openDesk(100);
  expect((await run('agent plan -f my_people.csv')).stderr).not.toContain('Values:');
});
