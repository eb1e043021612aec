import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { understand } from '../../src/cli/program.ts';
import { registry } from '../../src/cli/registry.ts';
import type { System } from '../../src/runtime/system.ts';
import { programOf, stepsOf } from '../support/document-examples.ts';
import { testLimit } from '../support/limits.ts';
import { open, startProcess } from '../support/process.ts';
import { unlessRequired } from '../support/required.ts';
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

/** Types a program into a terminal (`script` makes one) in an empty home, and answers what it asks. */
function typed(program: string): Promise<{ readonly exit: number | null; readonly screen: string }> {
  const home = temporaryFolder();
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

function programFor({ markdown, steps }: (typeof documents)[number]): string {
  if (!markdown.startsWith('<!-- examples: signed-in -->')) return programOf(steps);
  const [start, ...rest] = signedIn;
  return programOf([{ kind: 'background', text: start }, { kind: 'run', text: rest.join('\n') }, ...steps]);
}

const missing = unlessRequired(
  'script',
  spawnSync('script', ['--version']).status === 0 ? undefined : 'no script(1)',
);
const runnable = documents.filter(({ steps }) => steps.some(({ kind }) => kind === 'run'));

describe.skipIf(missing)('every example does what it says', () => {
  it.each(runnable.map((one) => [one.file, one] as const))('%s, typed in a terminal', async (_, one) => {
    const { exit, screen } = await typed(programFor(one));
    const isDone = exit === 0 && screen.includes('ALL STEPS DONE');
    expect({ exit, screen: isDone ? '' : screen }).toEqual({ exit: 0, screen: '' });
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
