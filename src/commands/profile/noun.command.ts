import type { NounSpec } from '../../runtime/define.ts';
import { profileAdd, profileList, profileRemove, profileShow, profileUse } from './profile.command.ts';

export const profileNoun: NounSpec = {
  name: 'profile',
  summary: 'Manage profiles: named accounts and sandboxes',
  section: 'Account and setup',
  commands: [profileList, profileUse, profileShow, profileAdd, profileRemove],
};
