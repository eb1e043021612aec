import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** A test that cites rules of docs/spec in its title. */
export interface NamedTest {
  readonly file: string;
  /** As written in the code, including the `%s` of a table. */
  readonly title: string;
  /** Names of the table's rows, which replace `%s`. */
  readonly cases: readonly string[];
}

const title =
  /\b(?:test|it|describe)(?:\.each\((\w+|[\s\S]*?)\)|\.each`[\s\S]*?`)?\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g;

/** Every title under a folder of tests that cites a rule of docs/spec: `spec:SMS-8`. */
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
        .filter(({ title: text }) => /\bspec:[A-Z]+-\d/.test(text));
    });
}

/** First cells of a table that is written in the call, or under this name in the file. */
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
