import { describe, expect, it } from 'vitest';
import { temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

const billing = 171_857_203;

describe('history undo of a run that added an agent who is now protected', () => {
  it.each(['--yes', '--yes --force', '--dry-run'])(
    '%s: exit 9 names the agent and the setting',
    async (how) => {
      const office = await openOffice();
      const at = { paths: temporaryPaths() };
      const members = () => office.sandbox.members(billing).map(({ extensionNumber }) => extensionNumber);
      expect((await office.run('queue assign --queue Billing --add 106 --yes', at)).exit).toBe(0);
      expect(members()).toContain('106');
      office.requests();
      const env = { UCCTL_PROTECT: '106' };
      const { exit, stderr } = await office.run(`history undo last ${how}`, { ...at, env });
      expect([exit, office.requests().filter((line) => !line.startsWith('GET'))]).toEqual([9, []]);
      expect(stderr).toContain('(106) is protected and would be removed from Billing (203)');
      expect(stderr).toContain('change the protect setting (UCCTL_PROTECT) first');
      expect(members()).toContain('106');
      expect(
        (await office.run('history undo last --yes', { ...at, env: { UCCTL_PROTECT: '101' } })).exit,
      ).toBe(0);
      expect(members()).not.toContain('106');
    },
  );

  it('adds a protected agent again', async () => {
    const office = await openOffice();
    const at = { paths: temporaryPaths() };
    const members = () => office.sandbox.members(billing).map(({ extensionNumber }) => extensionNumber);
    const before = members();
    const first = String(before[0]);
    expect((await office.run(`queue unassign Billing ${first} --allow-empty --yes`, at)).exit).toBe(0);
    const undone = await office.run('history undo last --yes', { ...at, env: { UCCTL_PROTECT: first } });
    expect([undone.exit, members()]).toEqual([0, before]);
  });
});
