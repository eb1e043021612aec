import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { withMembers } from '../../support/without-members.ts';
import { openOffice } from '../office.ts';

const defaults: Readonly<Record<string, unknown>> = {
  softPhonesAlwaysRing: true,
  holdTimeExpirationAction: 'Voicemail',
  wrapUpTime: 15,
  playbackFrequency: 'EveryInterval',
};

/** An office whose service omits the members of a rule that have their published default, and also empty objects. */
async function open(isOmitting = true) {
  const omitting = withMembers((name, value) => {
    if (defaults[name] === value) return undefined;
    return name === 'positionInQueue' && JSON.stringify(value) === '{}' ? undefined : value;
  });
  const { run } = await openOffice('administrator', isOmitting ? omitting : undefined, undefined, {
    dialect: 'current',
  });
  const options = { paths: temporaryPaths(), cwd: temporaryFolder(), env: { UCCTL_DIALECT: 'current' } };
  const file = join(options.cwd, 'rules.yaml');
  return {
    cwd: options.cwd,
    run: (line: string) => run(line, options),
    write: (setting: string) =>
      writeFileSync(file, `rules:\n  - extension: 102\n    rule: after-hours-rule\n    ${setting}\n`),
    changes: async () => {
      const { exit, stdout } = await run('rule plan -f rules.yaml -o json', options);
      expect(exit).toBe(0);
      return (JSON.parse(stdout) as { readonly changes: readonly unknown[] }).changes;
    },
  };
}

test.each([
  ['forwarding: { ringingMode: Sequentially, softPhonesAlwaysRing: true }', 'true', 'false'],
  ['queue: { transferMode: Rotating, wrapUpTime: 15 }', '15', '30'],
  [
    'queue: { transferMode: Rotating, holdTimeExpirationAction: Voicemail }',
    'Voicemail',
    'TransferToExtension',
  ],
  [
    'queue: { transferMode: Rotating, positionInQueue: { playbackFrequency: EveryInterval } }',
    'EveryInterval',
    'OnPositionChange',
  ],
])(
  '%s has no changes after it was applied, although the service omits the default',
  async (setting, value, other) => {
    const { run, write, changes } = await open();
    write(setting);
    expect(await run('rule apply -f rules.yaml --yes')).toMatchObject({ exit: 0 });
    expect(await changes()).toEqual([]);
    write(setting.replace(value, other));
    expect(await changes()).toHaveLength(1);
    expect(await run('rule apply -f rules.yaml --yes')).toMatchObject({ exit: 0 });
    expect(await changes()).toEqual([]);
    expect(await run('history undo last --yes')).toMatchObject({ exit: 0 });
    write(setting);
    expect(await changes()).toEqual([]);
  },
);

test('a member that a file removes may have its default afterwards', async () => {
  const { run, write, changes } = await open(false);
  write('queue: { transferMode: Rotating, wrapUpTime: 15 }');
  expect(await run('rule apply -f rules.yaml --yes')).toMatchObject({ exit: 0 });
  write('queue: { transferMode: Rotating, wrapUpTime: null }');
  expect(await changes()).toEqual([]);
  write('queue: { transferMode: Rotating, wrapUpTime: 30 }');
  expect(await changes()).toHaveLength(1);
});

test('account diff does not list an omitted default, but lists another value', async () => {
  const { run, write, cwd } = await open();
  write('queue: { transferMode: Rotating }');
  await run('rule apply -f rules.yaml --yes');
  expect(await run('account export company --personal')).toMatchObject({ exit: 0 });
  const file = join(cwd, 'company', 'rules.yaml');
  const text = readFileSync(file, 'utf8');
  const differences = async (members: string): Promise<unknown> => {
    const edited = text.replace(/^( +)transferMode: Rotating$/m, `$&\n${members.replaceAll(/^/gm, '$1')}`);
    expect(edited).not.toBe(text);
    writeFileSync(file, edited);
    return JSON.parse((await run('account diff company -o json')).stdout);
  };
  expect(await differences('wrapUpTime: 15')).toEqual([]);
  expect(await differences('wrapUpTime: 20')).toMatchObject([{ file: 'rules.yaml', name: 'queue' }]);
});
