import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordText } from '../../../src/commands/sandbox/record-file.ts';
import { type SandboxOptions, startSandbox } from '../../../src/sandbox/index.ts';
import { runUcctl } from '../../support/run-ucctl.ts';

/** A sandbox and a function that runs ucctl on a terminal of 80 columns. */
async function office(fixture?: SandboxOptions['fixture']) {
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-sandbox-terminal-'));
  const paths = { config: folder, state: join(folder, 'state'), cache: folder, data: folder };
  const sandbox = await startSandbox(fixture === undefined ? {} : { fixture });
  await mkdir(join(paths.state, 'sandboxes'), { recursive: true });
  await writeFile(join(paths.state, 'sandboxes', `${process.pid}.json`), recordText(sandbox.ready));
  return {
    sandbox,
    run: (...argv: readonly string[]) =>
      runUcctl(['sandbox', ...argv], { paths, terminal: 80, env: { NO_COLOR: '1' } }),
    async [Symbol.asyncDispose]() {
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

test('settings show the names that a change needs', async () => {
  await using here = await office();
  const { stdout } = await here.run('settings', 'callProgression=manual');
  expect(stdout).toMatch(/^callProgression +manual$/m);
  expect(stdout).toMatch(/^pkce +enforce$/m);
  const { exit, stderr } = await here.run('settings', 'speed=9');
  expect([exit, stderr.replaceAll(/\s+/g, ' ')]).toEqual([
    2,
    expect.stringContaining('setting "speed" not found; to list all settings: ucctl sandbox settings'),
  ]);
});

test('settings in a pipe are one line each, with name and value', async () => {
  await using here = await office();
  const { stdout } = await here.run('settings', '-o', 'tsv');
  const lines = stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t'));
  expect(lines.every((line) => line.length === 2)).toBe(true);
  expect(Object.fromEntries(lines)).toMatchObject({ callProgression: 'timed', pkce: 'enforce' });
  const csv = await here.run('settings', '-o', 'csv');
  expect(csv.stdout).toMatch(/^name,value\r\n/);
});

test('status names users, apps and queues without JSON', async () => {
  await using here = await office();
  const { stdout } = await here.run('status');
  expect(stdout).not.toMatch(/[{}"]/);
  expect(stdout).toMatch(/^Queues +Support \(201\), Sales \(202\), Billing \(203\)$/m);
  expect(stdout).toMatch(/^Users +Avery Quinn \(100\), /m);
  expect(stdout).toMatch(/^Apps +Desk \(sandbox-desk\), /m);
  expect(stdout).toMatch(/^Redirect URIs +http/m);
  expect(stdout).toMatch(/^Traffic +stopped$/m);
});

test('log shows the whole path of a request', async () => {
  await using here = await office();
  const path = '/restapi/v1.0/account/~/extension/~/message-store';
  await fetch(`${here.sandbox.url}${path}`);
  const { stdout } = await here.run('log');
  expect(stdout).toContain(path);
  expect(stdout).toContain('09:00:00  401     GET     ');
  expect(stdout).not.toContain('[]');
});

test('traffic shows the kinds and the time of the next event', async () => {
  await using here = await office();
  const { stdout } = await here.run('traffic', 'start', '--kinds', 'sms,call');
  expect(stdout).toMatch(/^Kinds +sms, call$/m);
  expect(stdout).not.toMatch(/\d{13}/);
  expect((await here.run('traffic', 'stop')).stdout).not.toContain('Next event');
});

test('a fault of an unknown operation names it', async () => {
  await using here = await office();
  const { stderr } = await here.run('fault', 'add', 'status', '--operation', 'sendText');
  expect(stderr).toContain('"sendText" is not a valid operation ID');
});

test('a fault of one mailbox shows its extension', async () => {
  await using here = await office();
  const words = ['--operation', 'syncMessages', '--extension', '102', '-o', 'json'];
  const { stdout } = await here.run('fault', 'add', 'status', ...words);
  expect(JSON.parse(stdout)).toMatchObject([{ kind: 'status', operation: 'syncMessages', extension: '102' }]);
  expect((await here.run('fault', 'list')).stdout).toMatch(/^\d +status +syncMessages +102 +503 /m);
});

test.each([
  [['sh', '-c', 'echo hi'], '-c', 'sh', "-- sh -c 'echo hi'"],
  [['--seed', '7', 'npm', 'test', '-q'], '-q', 'npm', '--seed 7 -- npm test -q'],
  [['ucctl', 'queue', 'list', '--all'], '--all', 'ucctl', '-- ucctl queue list --all'],
])('exec %j: a flag after the command needs --', async (words, flag, program, line) => {
  const { exit, stdout, stderr } = await runUcctl(['sandbox', 'exec', ...words], { env: {} });
  expect({ exit, stdout, stderr }).toEqual({
    exit: 2,
    stdout: '',
    stderr:
      `error: the flag ${flag} could belong to ucctl sandbox exec or to ${program}\n` +
      `  try:     write -- before the command: ucctl sandbox exec ${line}\n`,
  });
});

test('exec names a command that does not exist', async () => {
  await using here = await office();
  const { exit, stderr } = await here.run('exec', '--', 'no-such-command');
  expect([exit, stderr]).toEqual([
    12,
    'error: cannot run no-such-command: command not found\n  try:     check the name of the command, or specify its path\n',
  ]);
});

test('the status of a large office names the first entries of each list, and JSON has all', async () => {
  await using here = await office('enterprise');
  const { queues } = here.sandbox.ready;
  const [first] = queues;
  const json = await here.run('status', '-o', 'json');
  expect(JSON.parse(json.stdout)).toMatchObject({ queues });
  for (const format of ['table', 'tsv']) {
    const { stdout } = await here.run('status', '-o', format);
    const text = stdout.replaceAll(/\s+/g, ' ');
    expect(text).toContain(`${first?.name} (${first?.extension}), `);
    expect(text).toContain(` and ${queues.length - 12} more`);
    expect(text).toMatch(/ http:\/\/127\.0\.0\.1:8734\/callback, .*\/callback and 10 more/);
  }
});
