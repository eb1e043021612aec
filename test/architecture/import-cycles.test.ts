import { expect, it } from 'vitest';
import { importCycles, readImportGraph, sourceFiles } from './import-cycles.ts';

it('no file imports itself through others, including types and import()', () => {
  const files = sourceFiles('src', 'bench', 'scripts');
  expect(files.length).toBeGreaterThan(400);
  const cycles = importCycles(readImportGraph(files));
  expect(cycles.map((cycle) => cycle.join(' > '))).toEqual([]);
});

it.each([
  ['none', { a: ['b', 'c'], b: ['c'], c: [] }, []],
  ['a file that imports itself', { a: ['a'] }, ['a > a']],
  ['a pair', { a: ['b'], b: ['c', 'a'], c: [] }, ['a > b > a']],
  ['the shortest way of a group', { a: ['b', 'c'], b: ['d'], d: ['c'], c: ['a'] }, ['a > c > a']],
  ['a group behind a file of none', { a: ['b'], b: ['c'], c: ['b'] }, ['b > c > b']],
  ['two groups', { a: ['b'], b: ['a', 'c'], c: ['d'], d: ['c'] }, ['a > b > a', 'c > d > c']],
  ['files that are not there', { a: ['b'] }, []],
])('finds %s', (_name, graph, cycles) => {
  const found = importCycles(new Map(Object.entries(graph)));
  expect(found.map((cycle) => cycle.join(' > '))).toEqual(cycles);
});
