import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { namedTitles, sections } from './spec-index.ts';

/** A test that names a place. */
export interface NamedTest {
  readonly file: string;
  /** As it stands in the code; `%s` of a table is still there. */
  readonly title: string;
  /** Names of the table's rows, which take the place of `%s`. */
  readonly cases: readonly string[];
}

const title =
  /\b(?:test|it|describe)(?:\.each\((\w+|[\s\S]*?)\)|\.each`[\s\S]*?`)?\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g;

/** Every title under a folder of tests that names a place of the specification, the facts or the coverage list. */
export function namedTests(root: string): readonly NamedTest[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .sort()
    .flatMap((file) => {
      const code = readFileSync(join(root, file), 'utf8');
      return [...code.matchAll(title)]
        .map((match) => ({
          file: relative('.', file).replaceAll('\\', '/'),
          title: (match[2] ?? match[3] ?? match[4] ?? '').replaceAll(/\\(.)/g, '$1'),
          cases: casesOf(code, match[1] ?? ''),
        }))
        .filter(({ title: text }) => /\b(spec|facts|coverage):/.test(text));
    });
}

/** First cells of a table that stands in the call, or under this name in the file. */
function casesOf(code: string, table: string): readonly string[] {
  const rows = /^\w+$/.test(table)
    ? new RegExp(`const ${table}\\b[^=]*= (\\[[\\s\\S]*?\\n *\\](?: as const)?);`).exec(code)?.[1]
    : table;
  const lines = rows ?? '';
  const indent = /\n( *)(?=\[|['"`])/.exec(lines)?.[1];
  if (indent === undefined) return [];
  const first = new RegExp(`\\n${indent}(?:\\[\\s*)?(['"\`])((?:[^\\\\\n]|\\\\.)*?)\\1`, 'g');
  return [...lines.matchAll(first)].map((match) => match[2] ?? '');
}

/** All places, as `SMS rule 8` is written here: the section's own name, its kind and the number. */
export const places: readonly string[] = sections.flatMap(({ name, kind, labels }) =>
  labels.map((_label, index) => `${name} ${kind} ${index + 1}`),
);

/** The places that a title names; what names none of the index is answered as it is, for the test to complain about. */
export function placesOf(text: string): {
  readonly known: readonly string[];
  readonly unknown: readonly string[];
} {
  const parts = text.split(/\bspec:/).slice(1);
  const known: string[] = [];
  const unknown: string[] = [];
  for (const part of parts) {
    const found = placesOfPart(part.trim());
    if (found.length > 0) known.push(...found);
    else unknown.push(part.trim());
  }
  return { known, unknown };
}

function placesOfPart(text: string): readonly string[] {
  const named = Object.entries(namedTitles).find(([start]) => text.startsWith(start));
  if (named) return named[1];
  const [, name = '', kind = '', numbers = ''] =
    /^(.+?) (row|rule|sentence)s? (\d+(?:(?:-|, ?| and | to )\d+)*)/.exec(text) ?? [];
  const section = sections.find(
    (one) => one.kind === kind && (one.name === name || one.also?.includes(name)),
  );
  if (!section) return [];
  return numbers
    .split(/, ?| and /)
    .flatMap(range)
    .filter((number) => number <= section.labels.length)
    .map((number) => `${section.name} ${kind} ${number}`);
}

function range(text: string): readonly number[] {
  const [first = 0, last = first] = text.split(/-| to /).map(Number);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
