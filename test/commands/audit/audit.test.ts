import { expect, test } from 'vitest';
import type { AuditRecord } from '../../../src/contract/audit.ts';
import { openDesk, type Desk } from '../../matrix/desk.ts';

const current = { sandbox: { dialect: 'current' as const } };

/** Lists the names of the changed targets, newest first. */
function targetsOf(desk: Desk) {
  return async (words: string): Promise<readonly string[]> => {
    const rows: readonly { readonly target: { readonly name: string } }[] = await desk.json(
      `audit list ${words}`,
    );
    return rows.map(({ target }) => target.name);
  };
}

test('lists who changed what, newest first, with filters', async () => {
  await using desk = await openDesk(current);
  await desk.run('queue assign --queue 201 --add 105 --yes');
  await desk.sandbox.clock.advance(60_000);
  await desk.run('queue assign --queue 202 --add 102 --yes');
  const list = targetsOf(desk);
  expect(await list('')).toEqual(['Sales', 'Support']);
  expect(await list('--by ~')).toEqual(['Sales', 'Support']);
  expect(await list('--by 102')).toEqual([]);
  expect(await list('--target Support')).toEqual(['Support']);
  await desk.sandbox.clock.advance(60_000);
  expect(await list('--since 90s')).toEqual(['Sales']);
  expect(await list('--exclude-action CALL_QUEUE_MEMBERS_UPDATE')).toEqual([]);
  const { stdout, stderr } = await desk.run('audit list -L 1');
  expect(stdout).toContain('Sales');
  expect(stderr).toContain('showing only the first 1 records');
  const older = 'The service searches only the last 180 days; earlier records are missing.';
  expect((await desk.run('audit list --since 180d')).stderr).not.toContain(older);
  expect((await desk.run('audit list --since 181d')).stderr).toContain(older);
});

test('without --since, lists the seven days before --until', async () => {
  await using desk = await openDesk(current);
  const day = 86_400_000;
  for (const words of ['Billing --add 102', '201 --add 105', '202 --add 102']) {
    await desk.run(`queue assign --queue ${words} --yes`);
    await desk.sandbox.clock.advance(6 * day);
  }
  const list = targetsOf(desk);
  expect(await list('--since 20d')).toEqual(['Sales', 'Support', 'Billing']);
  expect(await list('')).toEqual(['Sales']);
  expect(await list('--until 10d')).toEqual(['Support']);
  expect(await list('--until 17d')).toEqual(['Billing']);
  // The period ends now if --until is in the future.
  expect(await list('--until 2099-01-01')).toEqual(['Sales']);
});

test('spec:AUDIT-5 selects changes of the company, also together with extensions', async () => {
  await using desk = await openDesk({
    ...current,
    files: { 'hours.yaml': 'hours:\n  - owner: company\n    saturday: 10:00-14:00\n' },
  });
  await desk.run('queue assign --queue 201 --add 105 --yes');
  await desk.sandbox.clock.advance(60_000);
  await desk.run('hours apply -f hours.yaml --yes');
  await desk.sandbox.clock.advance(60_000);
  await desk.run('queue assign --queue 202 --add 102 --yes');
  const list = targetsOf(desk);
  expect(await list('--target company')).toEqual(['Company']);
  expect(await list('--target Company,Support')).toEqual(['Company', 'Support']);
  expect(await list('--target company -L 1')).toEqual(['Company']);
  expect(await list('--target company --by 102')).toEqual([]);
  const { stderr } = await desk.run('audit list --target company,201 -L 1');
  expect(stderr).toContain('showing only the first 1 records');
});

test('shows the people of a change by name on a terminal, and by ID to programs, with the names that are known', async () => {
  await using desk = await openDesk(current);
  await desk.run('queue assign --queue 201 --add 105 --add 107 --yes');
  const terminal = { terminal: 120, env: { NO_COLOR: '1' } };
  const shown = (await desk.run('audit list', terminal)).stdout.replaceAll(/\s+/g, ' ');
  expect(shown).toMatch(/added: Chris Smith \(105\), Priya Nair \(107\);.* removed: \(none\)/);
  expect(shown).not.toMatch(/171857\d{3}/);
  const { stdout } = await desk.run('audit list');
  expect(stdout).toMatch(/added=171857105, 171857107/);
  await desk.run('agent list');
  expect((await desk.run('audit list')).stdout).toMatch(
    /added=171857105 Chris Smith \(105\), 171857107 Priya Nair \(107\)/,
  );
  const [record]: readonly AuditRecord[] = await desk.json('audit list');
  expect(record?.details?.parameters?.[0]).toEqual({ key: 'added', value: '171857105, 171857107' });
});

test.each([80, 120])('shows all details of a change on a terminal of %i columns', async (terminal) => {
  await using desk = await openDesk(current);
  await desk.run('queue assign --queue Billing --add 102,103,104,105,106,107 --yes');
  const { stdout } = await desk.run('audit list', { terminal, env: { NO_COLOR: '1' } });
  expect(stdout).toMatch(/102[\s\S]*103[\s\S]*104[\s\S]*105[\s\S]*106[\s\S]*removed:\s+\(none\)/);
  expect(stdout).not.toContain('…');
});

test('a search is a read: a read-only profile and --dry-run allow it', async () => {
  await using desk = await openDesk(current);
  const env = { UCCTL_READ_ONLY: 'true' };
  expect(await desk.run('audit list -o json', { env })).toMatchObject({ exit: 0, stdout: '[]\n' });
});

test('reports the missing dialect and the missing rights', async () => {
  await using spec = await openDesk();
  expect(await spec.run('audit list')).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('dialect spec') as string,
  });
  await using user = await openDesk({ ...current, who: '102' });
  expect(await user.run('audit list')).toMatchObject({
    exit: 5,
    stderr: expect.stringContaining('the audit trail requires an administrator') as string,
  });
});
