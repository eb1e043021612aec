import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cleanClone, commitOf } from '../../scripts/proofs/clean-clone.ts';
import { temporaryFolder } from '../support/temporary.ts';

function git(folder: string, ...args: readonly string[]): void {
  const identity = ['-c', 'user.name=Avery Quinn', '-c', 'user.email=avery@example.com'];
  execFileSync('git', ['-C', folder, ...identity, ...args], { stdio: 'ignore' });
}

it('a clone has the files of its commit, although the repository moves on and has uncommitted changes', () => {
  const repository = temporaryFolder();
  const file = join(repository, 'file.txt');
  git(repository, 'init');
  writeFileSync(file, 'first');
  git(repository, 'add', 'file.txt');
  git(repository, 'commit', '-m', 'Add a file');
  const commit = commitOf(repository);
  expect(commit).toMatch(/^[0-9a-f]{40}$/);
  writeFileSync(file, 'uncommitted');
  const before = join(temporaryFolder(), 'before');
  cleanClone(repository, commit, before);
  git(repository, 'commit', '--all', '-m', 'Change the file');
  const after = join(temporaryFolder(), 'after');
  cleanClone(repository, commit, after);
  expect(commitOf(repository)).not.toBe(commit);
  expect([before, after].map(commitOf)).toEqual([commit, commit]);
  expect([before, after].map((folder) => readFileSync(join(folder, 'file.txt'), 'utf8'))).toEqual([
    'first',
    'first',
  ]);
});
