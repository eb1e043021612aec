import { readFileSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, it } from 'vitest';
import { documentFiles, stepsOf } from '../support/document-examples.ts';

const languages = new Set(['sh', 'bash', 'shell', 'zsh', 'fish', 'console', 'powershell']);
const folders = ['docs', 'bench', 'console', 'deploy', 'examples', 'scripts', 'src'];
const pages = [
  ...readdirSync('.'),
  ...folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => posix.join(folder, file)),
  ),
].filter((file) => file.endsWith('.md'));

/** The languages of all fenced blocks of a page, also of indented blocks; the empty string for a block without language. */
function fences(markdown: string): readonly string[] {
  const found: string[] = [];
  let open: string | undefined;
  for (const line of markdown.split('\n')) {
    const [, mark, language = ''] = /^\s*(?:> ?)*(`{3,}|~{3,})\s*([\w-]*)/.exec(line) ?? [];
    if (mark === undefined) continue;
    if (open === undefined) found.push(language);
    open = open === undefined ? mark : undefined;
  }
  return found;
}

const shellBlocks = (file: string): number =>
  fences(readFileSync(file, 'utf8')).filter((language) => languages.has(language)).length;

it('every page with a shell block is one of the documents whose examples are run', () => {
  const withShell = pages.filter((file) => shellBlocks(file) > 0);
  expect(withShell.length).toBeGreaterThan(20);
  expect(withShell.filter((file) => !documentFiles().includes(file))).toEqual([]);
});

// README.md shows the output of a command in its only block of type console; readme.test.ts compares the output.
const shownOnly: Readonly<Record<string, number>> = { 'README.md': 1 };

it.each(documentFiles())('%s: every shell block is a step, run or not run for a stated reason', (file) => {
  const steps = stepsOf(readFileSync(file, 'utf8')).filter(({ kind }) => kind !== 'file');
  expect(steps).toHaveLength(shellBlocks(file) - (shownOnly[file] ?? 0));
});

// Only README.md is read in a clone. Where ucctl is not an npm package of the folder, npx would install a package of
// this name from the registry, also on a machine with the executable or the Debian package.
it.each(documentFiles().filter((file) => file !== 'README.md'))('%s calls ucctl without npx', (file) => {
  const lines = stepsOf(readFileSync(file, 'utf8')).flatMap(({ text }) => text.split('\n'));
  expect(lines.filter((line) => /\bnpx ucctl\b/.test(line))).toEqual([]);
});

// Without the key, the session is stored on one machine, and a machine without a keychain cannot store it.
it('documents that share a sign-in through the PostgreSQL store set the key first', () => {
  const runs = documentFiles().map((file) => {
    const steps = stepsOf(readFileSync(file, 'utf8')).filter(({ kind }) => kind === 'run');
    const [before = '', ...after] = steps
      .map(({ text }) => `${text}\n`)
      .join('')
      .split(/^(?:ucctl sandbox assertion .* \| )?ucctl login /m);
    return { file, before, signsIn: after.length > 0 };
  });
  const shared = runs.filter(
    ({ before, signsIn }) => signsIn && /^export UCCTL_STORE=postgres:/m.test(before),
  );
  expect(shared.length).toBeGreaterThan(3);
  const withoutKey = shared.filter(({ before }) => !/^export UCCTL_STORE_KEY_FILE=/m.test(before));
  expect(withoutKey.map(({ file }) => file)).toEqual([]);
});

it('every block has a language, so that no shell block is overlooked', () => {
  expect(pages.filter((file) => fences(readFileSync(file, 'utf8')).includes(''))).toEqual([]);
});

/** The first lines of tables without a header, which renderers show as text; without blocks of code. */
function tablesWithoutHeader(markdown: string): readonly string[] {
  const lines = markdown.replaceAll(/^(`{3,}|~{3,})[^]*?^\1$/gm, '').split('\n');
  return lines.filter(
    (line, index) =>
      line.startsWith('|') &&
      !lines[index - 1]?.startsWith('|') &&
      !/^\|(?:\s*:?-+:?\s*\|)+$/.test(lines[index + 1] ?? ''),
  );
}

it('every table has a header, also after an empty line', () => {
  expect(tablesWithoutHeader('| A |\n|---|\n| 1 |\n\n| 2 |\n')).toEqual(['| 2 |']);
  const found = pages.flatMap((file) =>
    tablesWithoutHeader(readFileSync(file, 'utf8')).map((line) => `${file}: ${line}`),
  );
  expect(found).toEqual([]);
});
