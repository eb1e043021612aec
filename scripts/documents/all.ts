import { loadAll } from '../../src/cli/load-nouns.ts';
import { registry } from '../../src/cli/registry.ts';
import { coverageDocument } from './coverage.ts';
import { referencePages } from './reference.ts';

/** Every document that is made from the sources, by its path; the folders hold nothing else. */
export async function madeDocuments(): Promise<ReadonlyMap<string, string>> {
  const nouns = await loadAll(registry);
  return new Map([
    ...below('docs/reference', referencePages(nouns)),
    ['docs/coverage.md', coverageDocument()],
  ]);
}

/** The folders that hold made documents only. */
export const madeFolders = ['docs/reference'] as const;

function below(folder: string, pages: ReadonlyMap<string, string>): readonly (readonly [string, string])[] {
  return [...pages].map(([name, text]) => [`${folder}/${name}`, text]);
}
