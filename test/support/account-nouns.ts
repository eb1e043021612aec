import {
  configGet,
  configList,
  configPath,
  configSet,
  configUnset,
} from '../../src/commands/config/config.command.ts';
import { loginCommand } from '../../src/commands/login/login.command.ts';
import { logoutCommand } from '../../src/commands/logout/logout.command.ts';
import {
  profileAdd,
  profileList,
  profileRm,
  profileShow,
  profileUse,
} from '../../src/commands/profile/profile.command.ts';
import { statusCommand } from '../../src/commands/status/status.command.ts';
import type { AnyCommandSpec, NounSpec } from '../../src/runtime/define.ts';

const noun = (name: string, commands: readonly AnyCommandSpec[]): NounSpec => ({
  name,
  summary: commands[0]?.summary ?? name,
  section: 'Account and setup',
  commands,
});

/** The commands of sign-in and settings. */
export const accountNouns: readonly NounSpec[] = [
  noun('login', [loginCommand]),
  noun('logout', [logoutCommand]),
  noun('status', [statusCommand]),
  noun('profile', [profileList, profileUse, profileShow, profileAdd, profileRm]),
  noun('config', [configList, configGet, configSet, configUnset, configPath]),
];
