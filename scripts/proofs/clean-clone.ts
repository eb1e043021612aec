import { execFileSync } from 'node:child_process';

/** Returns the full name of the commit that a repository or worktree has checked out. @throws {Error} without a commit. */
export function commitOf(folder: string): string {
  return execFileSync('git', ['-C', folder, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
}

/**
 * Creates a clone that contains only the files of one commit. Later commits and uncommitted changes of the repository have no effect
 * on it.
 * @param folder the folder of the clone, which must not exist
 * @throws {Error} if the repository does not have the commit.
 */
export function cleanClone(repository: string, commit: string, folder: string): void {
  const git = (...args: readonly string[]): void => {
    execFileSync('git', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  };
  git('clone', '--quiet', '--no-checkout', '--shared', repository, folder);
  git('-C', folder, 'checkout', '--quiet', '--detach', commit);
}
