import {
  chmodSync,
  chownSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadAll } from '../../src/cli/load-nouns.ts';
import { globalOptionsFor } from '../../src/cli/global-options.ts';
import { registry } from '../../src/cli/registry.ts';
import { writeFileAtomic } from '../../src/platform/atomic-file.ts';
import { replaceContent } from '../../src/platform/replace-content.ts';
import type { OptionSpec } from '../../src/runtime/command-description.ts';
import { openOffice } from '../commands/office.ts';
import { runUcctl } from '../support/run-ucctl.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { workbookOf } from '../support/workbook.ts';

/** Options whose value is a file that commands only read. */
const inputs = new Set([
  'assertionFile',
  'attach',
  'caFile',
  'file',
  'from',
  'input',
  'snapshot',
  'tlsCert',
  'tlsKey',
]);

describe('an option that names a file to write', () => {
  it.each([
    ['doctor --report', 'report.md'],
    ['calllog stats --report', 'report.html'],
    ['queue plan -f - --plan-out', 'plan.json'],
    ['agent plan -f - --plan-out', 'plan.json'],
    ['hours plan -f - --plan-out', 'plan.json'],
    ['rule plan -f - --plan-out', 'plan.json'],
    ['presence set -f - --errors', 'errors.csv'],
    ['queue assign -f - --results', 'results.csv'],
    ['sms send --template a.txt -f - --results', 'results.csv'],
    ['webhook listen --ready-file', 'ready.json'],
    ['subscribe tail --ready-file', 'ready.json'],
    ['sync --watch --ready-file', 'ready.json'],
    ['sandbox start --ready-file', 'ready.json'],
    ['sandbox start --db', 'sandbox.db'],
    ['download --voicemail --since 3650d --manifest', 'SHA256SUMS'],
    ['sync --database', 'mailbox.sqlite'],
    ['sync export --format csv --to', 'messages.csv'],
    ['queue list --trace-file', 'trace.har'],
  ])('%s rejects a folder, and names the option to type instead', async (line, example) => {
    const option = line.split(' ').at(-1);
    const cwd = temporaryFolder();
    for (const folder of ['.', cwd, 'new folder/']) {
      const { exit, stderr } = await runUcctl([...line.split(' '), folder], {
        cwd,
        stdin: '',
        env: { UCCTL_DIALECT: 'current' },
      });
      expect({ exit, stderr }).toMatchObject({ exit: 2 });
      expect(stderr).toContain(`${option}: "${folder}" is a folder, not a file`);
      const path = join(folder, example);
      const shown = path.includes(' ') ? `'${path}'` : path;
      expect(stderr).toContain(`specify a file, such as ${option} ${shown}`);
    }
  });

  it.each([
    ['sms send --template Hi -f list.csv --errors ./list.csv', '--file and --errors'],
    ['queue plan -f list.csv --plan-out list.csv', '--file and --plan-out'],
    ['presence set -f list.csv --results all.csv --errors all.csv', '--results and --errors'],
    ['queue assign -f list.csv --trace-file list.csv', '--file and --trace-file'],
  ])('%s is rejected, so that no file replaces another', async (line, options) => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'list.csv'), 'to\n');
    const { exit, stderr } = await runUcctl(line, { cwd });
    expect([exit, stderr]).toEqual([2, expect.stringContaining('name the same file')]);
    expect(stderr).toMatch(new RegExp(`${options}|${options.split(' ').toReversed().join(' ')}`));
    expect(readFileSync(join(cwd, 'list.csv'), 'utf8')).toBe('to\n');
    expect(readdirSync(cwd)).toEqual(['list.csv']);
  });

  it.each(['presence set -f - --errors', 'queue list --trace-file', 'calllog stats --report'])(
    '%s - is rejected instead of writing a file with this name',
    async (line) => {
      const cwd = temporaryFolder();
      const { exit, stderr } = await runUcctl(`${line} -`, { cwd });
      expect([exit, stderr]).toEqual([2, expect.stringContaining('cannot be used with standard output (-)')]);
      expect(readdirSync(cwd)).toEqual([]);
    },
  );

  it('may be the list of a results file, or a device', async () => {
    const cwd = temporaryFolder();
    for (const line of [
      'queue assign -f list.csv --results list.csv',
      'queue assign -f list.csv --results /dev/null --errors /dev/null',
    ]) {
      const { stderr } = await runUcctl(line, { cwd });
      expect(stderr).not.toContain('name the same file');
    }
  });

  it.each([
    ['team.xlsx', 'a workbook'],
    ['team.csv', 'a workbook'],
    ['state.yaml', 'queues:\n  "201": [101]\n'],
    ['state.txt', '# exported\n---\nqueues:\n  "201": [101]\n'],
    ['plan.json', '{"ucctlPlan":1}'],
    ['plan', '\uFEFF\r\n{"ucctlPlan":1}'],
  ])('--results does not replace the list %s, which is not CSV', async (name, text) => {
    const cwd = temporaryFolder();
    const july = { name: 'July', rows: [['to'], ['+16505550101']] };
    const sheets = [{ name: 'June', rows: [['to'], ['+16505550100']] }, july];
    const content = text === 'a workbook' ? Buffer.from(await workbookOf(sheets)) : Buffer.from(text);
    writeFileSync(join(cwd, name), content);
    for (const line of ['sms send --template Hi', 'queue apply', 'presence set']) {
      const { exit, stderr } = await runUcctl(`${line} --file ${name} --results ./${name}`, { cwd });
      expect([exit, stderr]).toEqual([
        2,
        `error: --results cannot replace the list "./${name}", because the list is not CSV\n` +
          '  try:     specify another file for --results; nothing was written or sent\n',
      ]);
    }
    expect(readFileSync(join(cwd, name)).equals(content)).toBe(true);
  });

  it('has the name of an example file in its spec', async () => {
    const nouns = await loadAll(registry);
    const tables = nouns.flatMap(({ commands }) => commands).map(({ options }) => options);
    const all = [globalOptionsFor(undefined), ...tables].flatMap((table) => Object.entries(table));
    const isFile = ([, option]: readonly [string, OptionSpec]): boolean =>
      option.type === 'string' && option.value === 'FILE';
    const isInput = ([key, { summary }]: readonly [string, OptionSpec]): boolean =>
      inputs.has(key) || summary.startsWith('File written by sandbox start');
    const unknown = all.filter(isFile).filter((one) => !('writes' in one[1]) && !isInput(one));
    expect(unknown.map(([key, { summary }]) => [key, summary])).toEqual([]);
  });
});

it('the error of an atomic write names the file, not its temporary file', async () => {
  const folder = temporaryFolder();
  await expect(writeFileAtomic(folder, '')).rejects.toMatchObject({ path: folder, code: 'EISDIR' });
});

describe('an atomic write', () => {
  it('discards the content for the null device, and does not replace the device', async () => {
    const link = join(temporaryFolder(), 'null');
    symlinkSync('/dev/null', link);
    await writeFileAtomic(link, 'content');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  });

  it('does not replace a socket, as it must not replace a pipe or device', async () => {
    const path = join(temporaryFolder(), 'socket');
    await using server = createServer();
    await new Promise<void>((resolve) => server.listen(path, resolve));
    await expect(writeFileAtomic(path, 'content')).rejects.toMatchObject({ code: 'ESPIPE', path });
    expect(lstatSync(path).isSocket()).toBe(true);
  });

  it('does not replace the path of a descriptor', async () => {
    const descriptor = openSync(join(temporaryFolder(), 'stdout.txt'), 'w');
    const path = `/proc/self/fd/${descriptor}`;
    await expect(writeFileAtomic(path, 'content')).rejects.toMatchObject({ code: 'ESPIPE', path });
    closeSync(descriptor);
  });
});

describe('a file that the user names', () => {
  it.each([
    ['queue plan -f agents.csv --plan-out', 'plan.json'],
    ['queue plan -f wrong.csv --errors', 'errors.csv'],
    ['queue assign -f agents.csv --yes --results', 'results.csv'],
    ['calllog stats --report', 'report.html'],
    ['download --voicemail --since 3650d --manifest', 'SHA256SUMS'],
  ])('%s is written through a link, as in a shell, and keeps its mode', async (line, name) => {
    const { run, sandbox } = await openOffice();
    await sandbox.control('POST', '/triggers/voicemail', { to: '100', seconds: 3 });
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'agents.csv'), 'queue,agent,action\n201,106,add\n');
    writeFileSync(join(cwd, 'wrong.csv'), 'queue,agent,action\n999,106,add\n');
    mkdirSync(join(cwd, 'shared'));
    writeFileSync(join(cwd, 'shared', name), '', { mode: 0o640 });
    symlinkSync(join('shared', name), join(cwd, 'link'));
    await run(`${line} link`, { cwd });
    const file = lstatSync(join(cwd, 'shared', name));
    expect([file.size > 0, file.mode & 0o777]).toEqual([true, 0o640]);
    expect(lstatSync(join(cwd, 'link')).isSymbolicLink()).toBe(true);
    expect(readdirSync(join(cwd, 'shared'))).toEqual([name]);
  });

  it('is a failure of this machine if the path is a device', async () => {
    const { run } = await openOffice();
    const { exit, stderr } = await run('calllog stats --report /dev/full');
    expect([exit, stderr]).toEqual([
      12,
      'error: cannot use /dev/full: the path is a pipe or device, not a file\n  try:     specify a file\n',
    ]);
  });

  it('is not written if another user placed it in a folder for all users', async (context) => {
    const isProtected = /^[12]/.test(ifReadable('/proc/sys/fs/protected_regular'));
    const canChangeOwners = process.getuid?.() === 0;
    context.skip(!isProtected || !canChangeOwners, 'needs root, and Linux with fs.protected_regular');
    const folder = temporaryFolder();
    chmodSync(folder, 0o1777);
    chownSync(folder, 65_533, 65_533);
    const file = join(folder, 'results.csv');
    writeFileSync(file, 'planted');
    chownSync(file, 65_534, 65_534);
    await expect(replaceContent(file, 'private')).rejects.toMatchObject({ code: 'EACCES' });
    expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['planted', ['results.csv']]);
  });
});

function ifReadable(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
