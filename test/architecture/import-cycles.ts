import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readImports } from './import-rules.ts';

/** The files that each file imports: as values, as types or by `import()`. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** The TypeScript files under some folders of the repository, by path. */
export function sourceFiles(...folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
      .map((name) => join(folder, name))
      .toSorted(),
  );
}

/** The imports among some files, read from the working folder. */
export function readImportGraph(files: readonly string[]): ImportGraph {
  return new Map(files.map((file) => [file, importedFiles(file, readFileSync(file, 'utf8'))]));
}

function importedFiles(file: string, source: string): readonly string[] {
  const targets = readImports(file, source)
    .filter(({ target }) => target.startsWith('.'))
    .map(({ target }) => posix.join(posix.dirname(file), target));
  return [...new Set(targets)];
}

/**
 * The cycles of an import graph: for each group of files that all reach each other, one shortest cycle through its
 * first file, which is the first and the last of the list.
 */
export function importCycles(graph: ImportGraph): readonly (readonly string[])[] {
  const inCycles = new Set<string>();
  const cycles: (readonly string[])[] = [];
  for (const file of graph.keys()) {
    if (inCycles.has(file)) continue;
    const cycle = wayAround(graph, file);
    if (!cycle) continue;
    cycles.push(cycle);
    for (const member of groupOf(graph, file)) inCycles.add(member);
  }
  return cycles;
}

/** A shortest way from a file back to itself; undefined when there is none. */
function wayAround(graph: ImportGraph, start: string): readonly string[] | undefined {
  const importers = new Map<string, string>();
  const queue = [start];
  for (const file of queue) {
    for (const target of graph.get(file) ?? []) {
      if (target === start) return [...wayTo(importers, start, file), start];
      if (importers.has(target)) continue;
      importers.set(target, file);
      queue.push(target);
    }
  }
  return undefined;
}

function wayTo(importers: ReadonlyMap<string, string>, start: string, end: string): readonly string[] {
  const way = [end];
  for (let file = end; file !== start;) {
    file = importers.get(file) ?? start;
    way.unshift(file);
  }
  return way;
}

/** The files that a file imports directly or indirectly, and that import it. */
function groupOf(graph: ImportGraph, file: string): readonly string[] {
  return [...reachedFrom(graph, file)].filter((other) => reachedFrom(graph, other).has(file));
}

function reachedFrom(graph: ImportGraph, start: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const queue = [start];
  for (const file of queue) {
    for (const target of graph.get(file) ?? []) {
      if (reached.has(target)) continue;
      reached.add(target);
      queue.push(target);
    }
  }
  return reached;
}
