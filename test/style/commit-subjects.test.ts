import { expect, it } from 'vitest';
import { subjectProblems } from '../../scripts/commit-subjects/rules.ts';

it.each([
  'Delete the subscription when a board is killed',
  'Pass the signal to the child',
  'Address the review',
  'Feed the parser line by line',
  'Ring the extension once',
  'Need no password for a local sandbox',
  'Fix #12',
  `Add ${'x'.repeat(68)}`,
])('accepts the subject "%s"', (subject) => {
  expect(subjectProblems(subject)).toEqual([]);
});

it.each([
  ['Added a column', 'does not begin with an imperative: "Added"'],
  ['Adds a column', 'does not begin with an imperative: "Adds"'],
  ['Adding a column', 'does not begin with an imperative: "Adding"'],
  ['The column is new', 'does not begin with an imperative: "The"'],
  ['12 columns', 'does not begin with an imperative: "12 columns"'],
  ['WIP: columns', 'is marked as work in progress'],
  ['wip', 'is marked as work in progress'],
  ['Add a column.', 'ends with a period'],
  [`Add ${'x'.repeat(69)}`, 'has 73 characters, more than 72'],
])('rejects the subject "%s"', (subject, problem) => {
  expect(subjectProblems(subject)).toEqual([problem]);
});
