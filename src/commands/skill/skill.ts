import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { CommandError, Exit } from '../../errors/command.ts';
import { fileFailureReason } from '../../platform/file-failure.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import type { Context } from '../../runtime/context.ts';
import type { DryRunOption } from '../../runtime/dry-run-option.ts';
import { ownMark, skillText } from './skill-text.ts';
import { skillInstallRows, type SkillInstallRow, skillTextRows } from './skill.rows.ts';

export interface SkillInstallOptions extends DryRunOption {
  readonly folder: string;
}

/** `skill`: the guide as text, or as an object in the structured formats. */
export async function printSkill(ctx: Context): Promise<void> {
  const text = skillText(await ctx.nouns());
  const { out } = ctx;
  if (out.format === 'table' || out.format === 'tsv') return out.text(text);
  await out.record({ name: 'ucctl', text }, skillTextRows.record);
}

/**
 * `skill install`: writes the guide to a skill folder. @throws {CommandError} if another file with the name exists, or
 * the folder is not writable.
 */
export async function installSkill(
  ctx: Context,
  { folder, dryRun = false }: SkillInstallOptions,
): Promise<void> {
  const file = join(resolve(ctx.cwd, folder), 'ucctl', 'SKILL.md');
  const text = skillText(await ctx.nouns());
  const found = await existing(file);
  if (found !== undefined && !found.includes(ownMark)) {
    throw new CommandError(
      'exists',
      Exit.conflict,
      `${file} already exists and is not a guide that ucctl wrote`,
      {
        hint: 'remove or rename the file, or choose another folder',
      },
    );
  }
  const isChanged = found !== text;
  if (isChanged && !dryRun) await write(file, text);
  const changed = dryRun ? 'not written' : 'written';
  await ctx.out.record<SkillInstallRow>(
    { file, action: isChanged ? changed : 'unchanged' },
    skillInstallRows.record,
  );
}

async function existing(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw notWritten(file, error);
  }
}

async function write(file: string, text: string): Promise<void> {
  try {
    makeFolder(dirname(file));
    await writeFile(file, text);
  } catch (error) {
    throw notWritten(file, error);
  }
}

function notWritten(file: string, error: unknown): CommandError {
  return new CommandError('not_written', Exit.local, `cannot write ${file}: ${fileFailureReason(error)}`, {
    hint: 'choose a folder that you may write to',
    cause: error,
  });
}
