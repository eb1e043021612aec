import { type Hint, hintText } from '../errors/hint.ts';
import type { Settings } from './settings.ts';

/** The settings of a run; undefined if they could not be read. */
interface Run {
  readonly settings: Pick<Settings, 'profile'> | undefined;
}

/** Returns a hint as text. If the run has a profile named with `-p`, the commands in the hint name it, so that they can be copied. */
export function hintFor({ settings }: Run, hint: Hint): string {
  return hintText(hint, settings?.profile.origin === 'flag' ? settings.profile.value : undefined);
}
