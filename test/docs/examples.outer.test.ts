import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { understand } from '../../src/cli/program.ts';
import { registry } from '../../src/cli/registry.ts';
import { resolvePaths } from '../../src/config/paths.ts';
import type { System } from '../../src/runtime/system.ts';
import { documentFiles, stepsOf, type Step } from '../support/document-examples.ts';
import { connectStore } from '../../src/store/index.ts';
import { postgresMissing, postgresServer } from '../support/postgres.ts';
import { unlessRequired } from '../support/required.ts';
import { runUcctl, type RunResult } from '../support/run-ucctl.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { TypedDocument } from '../support/typed-document.ts';

const documents = documentFiles().map((file) => ({
  file,
  markdown: readFileSync(file, 'utf8'),
  steps: stepsOf(readFileSync(file, 'utf8')),
}));
const all = documents.flatMap(({ file, steps }) => steps.map((step) => ({ file, step })));

const passwordLine = 'npx ucctl login --flow password --username "$UCCTL_SANDBOX_USERNAME"';
/** For documents that begin with `<!-- examples: signed-in -->`. */
const signedIn = ['npx ucctl sandbox start', 'eval "$(npx ucctl sandbox env)"', passwordLine] as const;
/** Here the sign-in is typed, too; the other documents find it done. */
const typesSignIn = 'docs/getting-started.md';

/** Does in this process what `signedIn` types. @returns the environment of the sandbox. */
async function signInAt(home: string): Promise<Readonly<Record<string, string>>> {
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
  const exported = environment.matchAll(/^export (\w+)='?(.*?)'?$/gm);
  const env = Object.fromEntries([...exported].map(([, name = '', value = '']) => [name, value]));
  const login = ['login', '--flow', 'password', '--username', env['UCCTL_SANDBOX_USERNAME'] ?? ''];
  const { exit, stderr } = await runUcctl(login, {
    paths,
    cwd: home,
    env: { ...env, UCCTL_STORE: 'file', UCCTL_PASSWORD: 'Sandbox-100' },
  });
  expect([exit, stderr]).toEqual([0, expect.any(String)]);
  return env;
}

const isSignedIn = ({ markdown }: (typeof documents)[number]): boolean =>
  /^<!-- examples: (?:signed-in|postgres) -->/.test(markdown);

/** The steps of a document, with those that its reader has done before. */
function stepsFrom(one: (typeof documents)[number]): readonly Step[] {
  if (!isSignedIn(one) || one.file !== typesSignIn) return one.steps;
  const [start, ...rest] = signedIn;
  return [{ kind: 'background', text: start }, { kind: 'run', text: rest.join('\n') }, ...one.steps];
}

const missing = unlessRequired(
  'script',
  spawnSync('script', ['--version']).status === 0 ? undefined : 'no script(1)',
);
/** For documents that begin with `<!-- examples: postgres -->`: the variables with which psql finds a server. */
const withPostgres = '<!-- examples: postgres -->';
const noPostgres = postgresMissing();
/** For documents that begin with `<!-- examples: jq -->`: they run jq, which is no part of ucctl. */
const noJq = unlessRequired(
  'jq',
  spawnSync('jq', ['--version']).status === 0 ? undefined : 'jq is not installed',
);
const needsJq = ({ markdown }: (typeof documents)[number]): boolean =>
  markdown.startsWith('<!-- examples: jq -->');
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

/** Does the steps of a document until one fails. @returns what the failed step showed, or the empty string. */
async function faultOf(one: (typeof documents)[number]): Promise<string> {
  const home = temporaryFolder();
  const sandbox = isSignedIn(one) && one.file !== typesSignIn ? await signInAt(home) : {};
  await using typed = new TypedDocument(home, { ...sandbox, ...(await serverFor(one)) });
  for (const step of stepsFrom(one)) {
    const fault = await typed.type(step);
    if (fault !== '') return fault;
  }
  return '';
}

const named = (some: readonly (typeof documents)[number][]) => some.map((one) => [one.file, one] as const);

describe.skipIf(missing)('every example does what it says', () => {
  it.each(named(runnable.filter((one) => !isOfPostgres(one) && !needsJq(one))))(
    '%s, typed',
    async (_, one) => {
      expect(await faultOf(one)).toBe('');
    },
  );
});

describe.skipIf(missing ?? noJq)('every example with jq does what it says', () => {
  it.each(named(runnable.filter(needsJq)))('%s, typed', async (_, one) => {
    expect(await faultOf(one)).toBe('');
  });
});

describe.skipIf(missing ?? noPostgres)('every example with PostgreSQL does what it says', () => {
  it.each(named(runnable.filter(isOfPostgres)))('%s, typed', async (_, one) => {
    expect(await faultOf(one)).toBe('');
  });
});

describe('what is not run', () => {
  const left = all.filter(({ step }) => step.kind === 'not-run');

  // What changes the system or needs a program that no test machine has, such as systemd.
  it('is a small part', () => {
    expect(left.length / all.length).toBeLessThanOrEqual(0.06);
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
      .filter((target) => !existsSync(target)),
  );
  expect(broken).toEqual([]);
});
