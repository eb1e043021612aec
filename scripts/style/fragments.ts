import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, posix } from 'node:path';
import { codeTexts } from './code-texts.ts';
import { documentTexts } from './document-texts.ts';
import { type Fragment, wordsOf } from './fragment.ts';

const codeEndings = new Set(['.ts', '.tsx', '.mjs', '.cjs']);

/** Every file of code and prose below the given files and folders, sorted. */
export function textFiles(roots: readonly string[]): readonly string[] {
  return roots
    .flatMap((root) =>
      statSync(root).isFile()
        ? [root]
        : readdirSync(root, { recursive: true, encoding: 'utf8' }).map((file) => posix.join(root, file)),
    )
    .filter((file) => codeEndings.has(extname(file)) || file.endsWith('.md'))
    .sort();
}

/** All texts of a file: the sentences of a document, or the names, strings and comments of code. */
export function fragmentsOf(file: string, source = readFileSync(file, 'utf8')): readonly Fragment[] {
  const texts = file.endsWith('.md') ? documentTexts(source) : codeTexts(file, source);
  const name = { line: 1, kind: 'file name', text: wordsOf(posix.basename(file, extname(file))) } as const;
  return [name, ...texts].map(({ line, kind, text }) => ({ file, line, kind, text }));
}
