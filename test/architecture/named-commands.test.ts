import { readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'rolldown/utils';
import { expect, it } from 'vitest';
import { registry } from '../../src/cli/registry.ts';
import { sourceFiles } from './import-cycles.ts';

/** Files whose texts belong to no run: help, guides, reports, files, SQL, and the sandbox, which has no profiles. */
const withoutProfile = [
  /\.command\.ts$/,
  /^src\/(?:cli\/topics|completion|sandbox)\//,
  /^src\/cli\/help\.ts$/,
  /^src\/commands\/(?:completion|init|mcp|sandbox|skill)\//,
  /^src\/runtime\/(?:bulk|live)-options\.ts$/,
  /^src\/config\/setting-keys\.ts$/,
  /^src\/features\/(?:account-files\/manifest|account-report\/report|mirror\/export\/html)\.ts$/,
  // The label of a digest, not a command.
  /^src\/auth\/store-key\.ts$/,
  /^src\/store\/(?:manage|\w+-schema)\.ts$/,
];

/** A command in a text, unless the text names its profile. */
const command = new RegExp(
  String.raw`^(?!.* -p ).*\bucctl (?:${registry.map(({ name }) => name).join('|')})\b`,
  'm',
);

/** Returns the texts of a file that name a command as text. */
function namedCommands(file: string, source: string): readonly string[] {
  const found: string[] = [];
  const check = (text: string): void => {
    if (command.test(text)) found.push(`${file}: ${text.trim()}`);
  };
  new Visitor({
    Literal(node) {
      if (typeof node.value === 'string') check(node.value);
    },
    TemplateElement(node) {
      check(node.value.raw);
    },
  }).visit(parseSync(file, source).program);
  return found;
}

it('texts name a command with ucctl(), so that the output can add the profile of -p', () => {
  const files = sourceFiles('src').filter((file) => !withoutProfile.some((pattern) => pattern.test(file)));
  expect(files.flatMap((file) => namedCommands(file, readFileSync(file, 'utf8')))).toEqual([]);
});

it.each([
  ["out.note('to list them: ucctl queue list');", ['x.ts: to list them: ucctl queue list']],
  ['out.note(`see ucctl -p ${name} config`);', []],
  ["// as ucctl queue list does\nout.note(nextStep`see ${ucctl('queue list')}`);", []],
  ["out.note('ucctl queues the request');", []],
])('finds the command in %j', (source, found) => {
  expect(namedCommands('x.ts', source)).toEqual(found);
});
