import type { NounSpec } from '../../runtime/define.ts';
import { skillInstall, skillPrint } from './skill.command.ts';

export const skillNoun: NounSpec = {
  name: 'skill',
  summary: 'Print a short guide to ucctl for AI agents',
  section: 'Account and setup',
  commands: [skillPrint, skillInstall],
};
