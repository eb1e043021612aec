import { loadAll } from '../../src/cli/load-nouns.ts';
import { registry } from '../../src/cli/registry.ts';
import { coverageDocument } from './coverage.ts';
import { libraryMethodsPage } from './library-methods.ts';
import { readOperations } from './read-operations.ts';
import { referencePages } from './reference.ts';

/** Every document that is generated from the sources, by path. */
export async function madeDocuments(): Promise<ReadonlyMap<string, string>> {
  const nouns = await loadAll(registry);
  return new Map([
    ...below('docs/reference', referencePages(nouns)),
    ['docs/reference/library-methods.md', libraryMethodsPage()],
    ['docs/internals/coverage.md', coverageDocument()],
    ['src/features/account-report/read-operations.json', `${JSON.stringify(readOperations(), null, 2)}\n`],
  ]);
}

/** Folders that contain generated documents only. */
export const madeFolders = ['docs/reference'] as const;

function below(folder: string, pages: ReadonlyMap<string, string>): readonly (readonly [string, string])[] {
  return [...pages].map(([name, text]) => [`${folder}/${name}`, text]);
}
