import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, it } from 'vitest';
import { understand } from '../../src/cli/program.ts';
import { registry } from '../../src/cli/registry.ts';
import { CommandError } from '../../src/errors/command.ts';
import type { System } from '../../src/runtime/system.ts';
import { splitWords } from '../support/run-ucctl.ts';

// The steps of documents are run (examples.outer.test.ts). Texts also name commands, which are only parsed here.

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => posix.join('docs', file)),
];

const nouns = registry.map(({ name }) => name).join('|');
/** A command in the text of a document, such as `ucctl queue list` or `queue list --members`. */
const command = new RegExp(
  `\`(?:npx )?(?:ucctl ((?:${nouns}|help)\\b[^\`\\n]*)|((?:${nouns}) (?:[a-z-]+ )*--[^\`\\n]*))\``,
  'g',
);
/** What a text may omit, or name only with a placeholder: arguments and the values of flags. */
const isIncomplete = /is missing|requires a value|requires --|"[A-Z]+" is not a valid value/;

/** Returns the commands in the text of a document, without blocks of code. */
function commandsIn(markdown: string): readonly string[] {
  const text = markdown.replaceAll(/^(`{3,})[^]*?^\1$/gm, '');
  return [...text.matchAll(command)].map(([, called, named]) => called ?? named ?? '');
}

/** Returns why a command is not valid; undefined for a valid one. */
async function problemOf(line: string): Promise<string | undefined> {
  // The command before a pipe or a redirection. Signs of the shell do not count in quotes.
  const first = /^(?:"[^"]*"|'[^']*'|(?! (?:[|>&;]|2>)).)*/.exec(line)?.[0] ?? '';
  const words = splitWords(first).filter((word) => !/^(?:\.{3}|…)$/.test(word));
  const system = { version: '0', homeDirectory: '/home', stdout: { columns: 80 } } as unknown as System;
  try {
    await understand(words, registry, system);
    return undefined;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return isIncomplete.test(error.message) ? undefined : error.message;
  }
}

it.each([
  ['`ucctl queue list --nope`', ['queue list --nope: unknown flag --nope']],
  ['`queue lst --members`', ['queue lst --members: unknown command "queue lst"']],
  ['`queue show` and `ucctl queue show`, `ucctl cannot store events`', []],
  ['```sh\n`ucctl queue lst`\n```\n', []],
])('finds the invalid commands in %j', async (markdown, found) => {
  expect(await problemsIn(markdown)).toEqual(found);
});

async function problemsIn(markdown: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const line of new Set(commandsIn(markdown))) {
    const problem = await problemOf(line);
    if (problem !== undefined) found.push(`${line}: ${problem}`);
  }
  return found;
}

it('the texts of the documents name only commands and flags that exist', async () => {
  const found: string[] = [];
  let checked = 0;
  for (const file of documents) {
    const markdown = readFileSync(file, 'utf8');
    checked += commandsIn(markdown).length;
    found.push(...(await problemsIn(markdown)).map((problem) => `${file}: ${problem}`));
  }
  expect(checked).toBeGreaterThan(300);
  expect(found).toEqual([]);
});
