import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sourceFiles } from './import-cycles.ts';

/** A table whose keys can be any text, as an object literal. */
const literal = /^(?:export )?const (\w+): (?:Readonly<)?Record<string, [^=]*(?:=>[^=]*)?= \{/gm;

/** Returns the tables of a file that are object literals and are read by key. */
function literalTables(source: string): readonly string[] {
  return [...source.matchAll(literal)].flatMap(([, name = '']) =>
    source.includes(` ${name}[`) || source.includes(`(${name}[`) ? [name] : [],
  );
}

it('tables that are read by any key are lookup tables, which have no inherited members', () => {
  const found = sourceFiles('src').flatMap((file) =>
    literalTables(readFileSync(file, 'utf8')).map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});

it.each([
  ["const words: Readonly<Record<string, string>> = { a: 'b' };\nreturn words[key];", ['words']],
  ["export const words: Record<string, string> = {\n a: 'b' };\nuse(words[key]);", ['words']],
  ["const words: Readonly<Record<string, string>> = lookupTable({ a: 'b' });\nreturn words[key];", []],
  ["const words: Readonly<Record<string, string>> = { a: 'b' };\nObject.keys(words);", []],
])('finds the literal tables of %j', (source, names) => {
  expect(literalTables(source)).toEqual(names);
});
