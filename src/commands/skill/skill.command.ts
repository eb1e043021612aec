import { defineCommand } from '../../runtime/define.ts';
import { dryRunOption } from '../../runtime/dry-run-option.ts';
import { record } from '../../runtime/output-schema.ts';
import { skillInstallRows, skillTextRows } from './skill.rows.ts';
import type { SkillInstallOptions } from './skill.ts';

export const skillPrint = defineCommand<object>({
  path: ['skill'],
  summary: 'Print a short guide to ucctl for AI agents',
  description:
    'Prints a skill file: how an agent finds commands, previews changes, reads exit codes and tests commands in a sandbox. The content matches the commands of this version.',
  options: {},
  examples: [{ comment: 'Read the guide', command: 'ucctl skill' }],
  printsText: true,
  output: record(skillTextRows),
  load: () => import('./skill.ts').then((m) => m.printSkill),
});

export const skillInstall = defineCommand<SkillInstallOptions>({
  path: ['skill', 'install'],
  summary: 'Write the guide for AI agents to a skill folder',
  description:
    'Writes FOLDER/ucctl/SKILL.md, where agent programs look for skills. Replaces an existing ucctl file, but no other file.',
  options: {
    folder: {
      type: 'string',
      positional: true,
      default: '.agents/skills',
      value: 'FOLDER',
      summary: 'Skill folder of the project or of the agent program',
    },
    dryRun: dryRunOption,
  },
  examples: [{ comment: 'Install the guide in the current project', command: 'ucctl skill install' }],
  output: record(skillInstallRows),
  exitCodes: { 11: 'another file with this name exists', 12: 'the folder is not writable' },
  load: () => import('./skill.ts').then((m) => m.installSkill),
});
