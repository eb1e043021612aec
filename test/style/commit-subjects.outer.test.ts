import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { checkSubjects } from '../../scripts/commit-subjects/history.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** A repository with these commits, and how to run git in it. */
function repository(subjects: readonly string[]): { folder: string; git: (...args: string[]) => string } {
  const folder = temporaryFolder();
  const git = (...args: string[]): string =>
    execFileSync(
      'git',
      ['-C', folder, '-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args],
      {
        encoding: 'utf8',
        env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
      },
    ).trim();
  git('init', '--quiet', '--initial-branch=main');
  for (const subject of subjects) git('commit', '--quiet', '--allow-empty', '--message', subject);
  return { folder, git };
}

it('checks the commits after a given one, but no merges and no exceptions', () => {
  const { folder, git } = repository([
    'before the rules.',
    'Start',
    'Added a row',
    'wip: a table',
    'Add a test',
  ]);
  git('checkout', '--quiet', '-b', 'side', 'HEAD~1');
  git('commit', '--quiet', '--allow-empty', '--message', 'Add a page');
  git('checkout', '--quiet', 'main');
  git('merge', '--quiet', '--no-ff', '--message', 'merged.', 'side');
  const [after, added, wip] = ['HEAD~4', 'HEAD~3', 'HEAD~2'].map((name) => git('rev-parse', `${name}^0`));
  expect(checkSubjects(folder, { after: after ?? '', exceptions: [] })).toEqual({
    checked: 4,
    problems: [
      `${wip?.slice(0, 10)} "wip: a table" is marked as work in progress`,
      `${added?.slice(0, 10)} "Added a row" does not begin with an imperative: "Added"`,
    ],
  });
  const exceptions = [added, wip].map((commit) => ({ commit: commit ?? '', reason: 'shared' }));
  expect(checkSubjects(folder, { after: after ?? '', exceptions })).toEqual({ checked: 4, problems: [] });
});

it('is skipped with a reason where the history is not there', () => {
  const { folder, git } = repository(['Start', 'Add a test']);
  const first = git('rev-parse', 'HEAD~1');
  const shallow = temporaryFolder();
  git('clone', '--quiet', '--depth', '1', `file://${folder}`, shallow);
  for (const place of [shallow, temporaryFolder()])
    expect(checkSubjects(place, { after: first, exceptions: [] })).toEqual({
      skipped: `the history does not reach back to ${first}`,
    });
});
