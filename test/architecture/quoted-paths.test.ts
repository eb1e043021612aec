import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sourceFiles } from './import-cycles.ts';

/** A command of a shell, or an option with a file, with a value that only literal apostrophes quote, or nothing. */
const unquoted =
  /(?:\b(?:rm|mv|cp|chmod [-+\w]+|chown \w+)|(?:apply|plan|diff|send) -f|--file) '?\$\{(?!shell)[^}]*\}'?/g;

/** Returns the commands of a source whose values an apostrophe or a space would break. */
function unquotedValues(source: string): readonly string[] {
  return source.match(unquoted) ?? [];
}

it('commands in texts quote paths with shellQuoted or shellWord', () => {
  const found = sourceFiles('src').flatMap((file) =>
    unquotedValues(readFileSync(file, 'utf8')).map((command) => `${file}: ${command}`),
  );
  expect(found).toEqual([]);
});

it.each([
  ["`delete it: rm '${file}'`", ["rm '${file}'"]],
  ['`run chmod go-w ${path}`', ['chmod go-w ${path}']],
  ['`delete it: rm ${shellQuoted(file)}`', []],
  ['`apply -f ${planOut}`', ['apply -f ${planOut}']],
  ['`the form ${name}`', []],
])('finds the values in %s', (source, found) => {
  expect(unquotedValues(source)).toEqual(found);
});
