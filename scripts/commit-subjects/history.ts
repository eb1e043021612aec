import { spawnSync } from 'node:child_process';
import { subjectProblems } from './rules.ts';

/** The content of commit-subjects.json. */
export interface SubjectRules {
  /** The last commit that is not checked. All later commits are checked. */
  readonly after: string;
  /** Full hashes of commits that break a rule and are exempt from the check. */
  readonly exceptions: readonly { readonly commit: string; readonly reason: string }[];
}

/** What the check found: a line for each problem, or why the history cannot be checked. */
export type SubjectReport =
  | { readonly skipped: string }
  | { readonly checked: number; readonly problems: readonly string[] };

/** Checks the subjects of the commits of a repository, without merges. */
export function checkSubjects(folder: string, { after, exceptions }: SubjectRules): SubjectReport {
  const git = (...args: readonly string[]): string | undefined => {
    const { status, stdout } = spawnSync('git', ['-C', folder, ...args], {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    });
    return status === 0 ? stdout : undefined;
  };
  if (git('merge-base', '--is-ancestor', after, 'HEAD') === undefined)
    return { skipped: `the history does not reach back to ${after}` };
  const log = git('log', '--no-merges', '--format=%H %s', `${after}..HEAD`);
  if (log === undefined) return { skipped: 'git log failed' };
  const excepted = new Set(exceptions.map(({ commit }) => commit));
  const commits = log
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ hash: line.slice(0, line.indexOf(' ')), subject: line.slice(line.indexOf(' ') + 1) }));
  const problems = commits
    .filter(({ hash }) => !excepted.has(hash))
    .flatMap(({ hash, subject }) =>
      subjectProblems(subject).map((problem) => `${hash.slice(0, 10)} "${subject}" ${problem}`),
    );
  return { checked: commits.length, problems };
}
