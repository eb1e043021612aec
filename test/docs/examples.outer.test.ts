import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { understand } from '../../src/cli/program.ts';
import { registry } from '../../src/cli/registry.ts';
import { resolvePaths } from '../../src/config/paths.ts';
import type { System } from '../../src/runtime/system.ts';
import { programOf, stepsOf } from '../support/document-examples.ts';
import { testLimit } from '../support/limits.ts';
import { connectStore } from '../../src/store/index.ts';
import { postgresMissing, postgresServer } from '../support/postgres.ts';
import { open, startProcess } from '../support/process.ts';
import { unlessRequired } from '../support/required.ts';
import { runUcctl, type RunResult } from '../support/run-ucctl.ts';
import { temporaryFolder } from '../support/temporary.ts';

const below = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
const documents = ['README.md', 'CONTRIBUTING.md', ...below('docs'), ...below('docs/guides')].map((file) => ({
  file,
  markdown: readFileSync(file, 'utf8'),
  steps: stepsOf(readFileSync(file, 'utf8')),
}));
const all = documents.flatMap(({ file, steps }) => steps.map((step) => ({ file, step })));

/** What a person types when asked, by the words of the question. */
const answers: readonly (readonly [RegExp, string])[] = [
  [/\? Password \[/, 'Sandbox-100\r'],
  [/\(y\/N\)/, 'y\r'],
];
const passwordLine = 'npx ucctl login --flow password --username "$UCCTL_SANDBOX_USERNAME"';
/** For documents that begin with `<!-- examples: signed-in -->`. */
const signedIn = ['npx ucctl sandbox start', 'eval "$(npx ucctl sandbox env)"', passwordLine] as const;
/** Here the sign-in is typed, too; the other documents find it done. */
const typesSignIn = 'docs/getting-started.md';
const environmentFile = '.environment';

/** Does in this process what `signedIn` types, and leaves the environment of the sandbox in a file. */
async function signInAt(home: string): Promise<void> {
  const paths = resolvePaths({ env: { HOME: home }, platform: process.platform, homeDirectory: home });
  const stop = new AbortController();
  let running: Promise<RunResult> | undefined;
  const ready = new Promise<void>((resolve, reject) => {
    running = runUcctl('sandbox start', { paths, cwd: home, signal: stop.signal, onStdout: () => resolve() });
    running.then(({ stderr }) => reject(new Error(stderr)), reject);
  });
  onTestFinished(async () => {
    stop.abort();
    await running;
  });
  await ready;
  const { stdout: environment } = await runUcctl('sandbox env', { paths, cwd: home });
  writeFileSync(join(home, environmentFile), environment);
  const exported = environment.matchAll(/^export (\w+)='?(.*?)'?$/gm);
  const env = Object.fromEntries([...exported].map(([, name = '', value = '']) => [name, value]));
  const login = ['login', '--flow', 'password', '--username', env['UCCTL_SANDBOX_USERNAME'] ?? ''];
  const { exit, stderr } = await runUcctl(login, {
    paths,
    cwd: home,
    env: { ...env, UCCTL_STORE: 'file', UCCTL_PASSWORD: 'Sandbox-100' },
  });
  expect([exit, stderr]).toEqual([0, expect.any(String)]);
}

/** Types a program into a terminal (`script` makes one) in its home, and answers what it asks. */
function typed(
  home: string,
  program: string,
  more: Readonly<Record<string, string>>,
): Promise<{ readonly exit: number | null; readonly screen: string }> {
  for (const [name, skip] of [
    ['ucctl', 0],
    ['npx', 1],
  ] as const) {
    const file = join(home, 'bin', name);
    mkdirSync(dirname(file), { recursive: true });
    const start = `exec '${process.execPath}' '${resolve('bin/ucctl.cjs')}' "$@"`;
    writeFileSync(file, `#!/bin/sh\n${'shift\n'.repeat(skip)}${start}\n`);
    chmodSync(file, 0o755);
  }
  writeFileSync(join(home, 'program.sh'), program);
  const words = ['-qefc', 'stty cols 160; bash --norc program.sh', '/dev/null'];
  const { child, ended } = startProcess('script', words, {
    cwd: home,
    input: open,
    env: {
      HOME: home,
      PATH: `${join(home, 'bin')}:${process.env['PATH']}`,
      TERM: 'xterm',
      // There is no keychain in a test; the keychain has tests of its own.
      UCCTL_STORE: 'file',
      // A guide's program uses the vendor's client library, which its reader installs.
      NODE_PATH: resolve('node_modules'),
      ...more,
    },
  });
  const timeout = setTimeout(() => child.kill(), testLimit / 2);
  let asked = '';
  // A question is drawn again at every key; it is over with its tick.
  let isAnswered = false;
  child.stdout.on('data', (piece: string) => {
    asked += piece;
    if (isAnswered && asked.includes('✔')) {
      isAnswered = false;
      asked = asked.slice(asked.lastIndexOf('✔'));
    }
    if (isAnswered) return;
    const answer = answers.find(([question]) => question.test(stripVTControlCharacters(asked)));
    if (!answer) return;
    asked = '';
    isAnswered = true;
    child.stdin.write(answer[1]);
  });
  return ended.then(({ exit, stdout }) => ({ exit, screen: stdout })).finally(() => clearTimeout(timeout));
}

const isSignedIn = ({ markdown }: (typeof documents)[number]): boolean =>
  /^<!-- examples: (?:signed-in|postgres) -->/.test(markdown);

function programFor(one: (typeof documents)[number]): string {
  const { file, steps } = one;
  if (!isSignedIn(one)) return programOf(steps);
  if (file !== typesSignIn) return programOf([{ kind: 'run', text: `. ./${environmentFile}` }, ...steps]);
  const [start, ...rest] = signedIn;
  return programOf([{ kind: 'background', text: start }, { kind: 'run', text: rest.join('\n') }, ...steps]);
}

const missing = unlessRequired(
  'script',
  spawnSync('script', ['--version']).status === 0 ? undefined : 'no script(1)',
);
/** For documents that begin with `<!-- examples: postgres -->`: the variables with which psql finds a server. */
const withPostgres = '<!-- examples: postgres -->';
const noPostgres = postgresMissing();
const isOfPostgres = ({ markdown }: (typeof documents)[number]): boolean => markdown.startsWith(withPostgres);
const runnable = documents.filter(({ steps }) => steps.some(({ kind }) => kind === 'run'));

/** The databases that a document creates are removed after the test. */
async function serverFor({
  markdown,
}: (typeof documents)[number]): Promise<Readonly<Record<string, string>>> {
  if (!markdown.startsWith(withPostgres)) return {};
  const address = await postgresServer();
  const { hostname, port, username, password } = new URL(address);
  const created = [...markdown.matchAll(/^createdb (\w+)$/gm)].map(([, name = '']) => name);
  const drop = async (): Promise<void> => {
    const db = connectStore({ url: address, source: 'the test', env: {} });
    for (const name of created) await db.script(`drop database if exists ${name} with (force)`);
    await db.close();
  };
  await drop();
  onTestFinished(drop);
  const server = {
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    ...(password !== '' && { PGPASSWORD: password }),
  };
  // psql shows a result in a pager when it asks the terminal; the test cannot leave a pager.
  return { ...server, PGDATABASE: 'postgres', PSQL_PAGER: 'cat' };
}

/** How the typed examples of a document ended; the screen is empty if all steps were done. */
async function endOf(
  one: (typeof documents)[number],
): Promise<{ readonly exit: number | null; readonly screen: string }> {
  const home = temporaryFolder();
  if (isSignedIn(one) && one.file !== typesSignIn) await signInAt(home);
  const { exit, screen } = await typed(home, programFor(one), await serverFor(one));
  const isDone = exit === 0 && screen.includes('ALL STEPS DONE');
  return { exit, screen: isDone ? '' : screen };
}

const done = { exit: 0, screen: '' };
const named = (some: readonly (typeof documents)[number][]) => some.map((one) => [one.file, one] as const);

describe.skipIf(missing)('every example does what it says', () => {
  it.each(named(runnable.filter((one) => !isOfPostgres(one))))('%s, typed in a terminal', async (_, one) => {
    expect(await endOf(one)).toEqual(done);
  });
});

describe.skipIf(missing ?? noPostgres)('every example with PostgreSQL does what it says', () => {
  it.each(named(runnable.filter(isOfPostgres)))('%s, typed in a terminal', async (_, one) => {
    expect(await endOf(one)).toEqual(done);
  });
});

describe('what is not run', () => {
  const left = all.filter(({ step }) => step.kind === 'not-run');

  it('is a small part', () => {
    expect(left.length).toBeLessThanOrEqual(8);
  });

  it('is valid anyway', async () => {
    const system = { version: '0', stdout: { columns: 80 } } as unknown as System;
    const lines = left.flatMap(({ step }) => (step.kind === 'not-run' ? step.text.split('\n') : []));
    const understood = lines
      .map((line) => /^(?:npx )?ucctl (.*)$/.exec(line)?.[1]?.split(' '))
      .filter((words) => words !== undefined)
      .map((words) => understand(words, registry, system));
    expect(understood.length).toBeGreaterThan(0);
    expect((await Promise.all(understood)).filter(({ kind }) => kind !== 'run')).toEqual([]);
  });
});

it('the documents link to existing files', () => {
  const broken = documents.flatMap(({ file, markdown }) =>
    [...markdown.matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
      .map(([, target = '']) => join(dirname(file), target))
      .filter((target) => spawnSync('test', ['-e', target]).status !== 0),
  );
  expect(broken).toEqual([]);
});
