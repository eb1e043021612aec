import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fillLargeOffice } from '../../support/large-office.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

/** An office with 30 queues, of which the first has 30 members, and a desk for one file. */
async function openLarge() {
  const cwd = temporaryFolder();
  const database = join(cwd, 'large.db');
  const all = Array.from({ length: 30 }, (_, index) => index);
  fillLargeOffice(database, { agents: 30, queues: 30, members: (queue) => (queue === 0 ? all : []) });
  const office = await openOffice('administrator', undefined, database, { dialect: 'current' });
  const at = { cwd, paths: temporaryPaths(), env: { UCCTL_DIALECT: 'current' } };
  return async (text: string) => {
    writeFileSync(join(cwd, 'q.yaml'), text);
    return office.run('queue apply -f q.yaml --dry-run', at);
  };
}

test('without --max-removals, a list removes at most 20% of the members', async () => {
  const apply = await openLarge();
  const listOf = (count: number): string =>
    `queues:\n  50000: [${Array.from({ length: count }, (_, index) => 10_001 + index).join(', ')}]\n`;
  expect(await apply(listOf(24))).toMatchObject({ exit: 0 });
  expect(await apply(listOf(23))).toMatchObject({
    exit: 9,
    stderr: expect.stringContaining('7 of 30 agents would be removed, but the limit is 20% (6)') as string,
  });
});

test('without --max-changes, a file changes the settings of at most 20% of its queues, or of 5', async () => {
  const apply = await openLarge();
  const fileOf = (changed: number): string =>
    `queues:\n${Array.from(
      { length: 30 },
      (_, index) =>
        `  - { queue: ${50_000 + index}, settings: { alertTimer: ${index < changed ? 60 : 30} } }\n`,
    ).join('')}`;
  expect(await apply(fileOf(6))).toMatchObject({ exit: 0 });
  expect(await apply(fileOf(7))).toMatchObject({ exit: 9 });
});
