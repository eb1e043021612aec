import type { Settings } from './settings.ts';

/** Commands that are about no profile, or name theirs. */
const withoutProfile = 'profile|sandbox|completion|help|schema|init';
const signing = new RegExp(String.raw`\bucctl (login|logout|status)\b(?! -p )`, 'g');
const others = new RegExp(
  String.raw`\bucctl (?!-|login|logout|status|(?:${withoutProfile})\b)(?=[a-z])`,
  'g',
);

/** A next step that is a `ucctl` command must be for the profile that `-p` named, not for the one in use. */
export function forProfile(hint: string, profile: Settings['profile'] | undefined): string {
  if (profile?.origin !== 'flag') return hint;
  return hint.replace(signing, `ucctl $1 -p ${profile.value}`).replace(others, `ucctl -p ${profile.value} `);
}
