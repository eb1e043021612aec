import type { NounSpec } from '../../runtime/define.ts';
import { profileAdd, profileList, profileRm, profileShow, profileUse } from './profile.command.ts';

export const profileNoun: NounSpec = {
  name: 'profile',
  summary: 'Accounts and sandboxes that you use by name',
  section: 'Account and setup',
  commands: [profileList, profileUse, profileShow, profileAdd, profileRm],
  outputs: async () => (await import('./outputs.command.ts')).profileOutputs,
};
