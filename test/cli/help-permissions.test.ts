import { describe, expect, it } from 'vitest';
import { loadAll } from '../../src/cli/load-nouns.ts';
import { registry } from '../../src/cli/registry.ts';
import { currentPermissionIncludes, permissionIncludes } from '../../src/contract/enums.ts';
import { operations } from '../../src/contract/operations.ts';
import { permissionsIn } from '../../src/runtime/define.ts';
import { runUcctl } from '../support/run-ucctl.ts';

const commands = (await loadAll(registry)).flatMap(({ commands: own }) => own);

/** The lines below the heading Permissions in `--help --all`. */
async function permissionLines(command: string): Promise<readonly string[]> {
  const { exit, stdout } = await runUcctl(`${command} --help --all`);
  expect(exit).toBe(0);
  const [, block = ''] = /^Permissions:?\n((?: .*\n)+)/m.exec(stdout) ?? [];
  return block
    .trimEnd()
    .split('\n')
    .map((line) => line.trim());
}

describe('the permissions in --help --all', () => {
  it('are on one line for each dialect if they differ', async () => {
    expect(await permissionLines('queue apply')).toEqual([
      'Dialect spec: ReadAccounts, EditExtensions',
      'Dialect current: ReadAccounts, EditAccounts',
    ]);
    expect(await permissionLines('webhook create')).toEqual([
      'Dialect spec: none',
      'Dialect current: TeamMessaging',
    ]);
  });

  it('are on one line without a dialect if they are the same', async () => {
    expect(await permissionLines('sms send')).toEqual([expect.stringMatching(/^(?!Dialect).*\bSMS\b/)]);
  });

  it('of changes of agents are those of the requests in both dialects', async () => {
    const { assignCallQueueMembers, bulkAssignDepartmentMembers } = operations;
    const needed = [assignCallQueueMembers.permission, bulkAssignDepartmentMembers.permission];
    expect(needed).toEqual(['EditExtensions', 'EditExtensions']);
    for (const command of ['queue assign', 'queue unassign'])
      expect(await permissionLines(command)).toEqual(['ReadAccounts, EditExtensions']);
  });

  it('of fleet worker are those of the requests of all kinds of tasks', async () => {
    const { syncMessages, listAccountCallLog, listExtensions } = operations;
    const needed = [syncMessages, listAccountCallLog, listExtensions].map(({ permission }) => permission);
    expect(needed).toEqual(['ReadMessages', 'ReadCallLog', 'ReadAccounts']);
    expect(await permissionLines('fleet worker')).toEqual([needed.join(', ')]);
  });

  it('of sms send --high-volume are in the help of the option', async () => {
    const { permission } = operations.createSmsBatch;
    const { stdout } = await runUcctl('sms send --help --all');
    const [help = ''] = /^ +--high-volume [\s\S]*?(?=\n +-)/m.exec(stdout) ?? [];
    expect(help.replaceAll(/\s+/g, ' ')).toContain(`needs the permission ${permission}`);
  });

  it('of presence set include those of --queue-calls in dialect current', async () => {
    const { readExtensionFeatures, updatePresence } = operations;
    const needed = [readExtensionFeatures.permission, updatePresence.permission];
    expect(needed).toEqual(['ReadAccounts', 'EditPresence']);
    expect(await permissionLines('presence set')).toEqual([
      'Dialect spec: EditPresence',
      'Dialect current: ReadAccounts, EditPresence',
    ]);
  });

  it.each(['subscribe tail', 'webhook listen', 'queue watch', 'presence watch', 'sync'])(
    'of %s include the WebSocket in dialect current only',
    async (command) => {
      const [specified, current] = await permissionLines(command);
      expect(specified).not.toContain('WebSocket');
      expect(current).toMatch(/^Dialect current: .*, WebSocket$/);
    },
  );

  it('are permissions of their dialect', () => {
    const unknown = commands.flatMap((command) => [
      ...permissionsIn('spec', command).filter((name) => !Object.hasOwn(permissionIncludes, name)),
      ...permissionsIn('current', command).filter((name) => !Object.hasOwn(currentPermissionIncludes, name)),
    ]);
    expect(commands.filter(({ currentPermissions }) => currentPermissions).length).toBeGreaterThan(5);
    expect(unknown).toEqual([]);
  });
});
