import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileFailureReason } from '../../platform/file-failure.ts';
import { overwriteInPlace, replaceContent } from '../../platform/replace-content.ts';
import { shellQuoted } from '../../platform/shell-quoted.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { installRows, type InstallRow } from './completion.rows.ts';
import type { CompletionInstallOptions } from './options.ts';
import { scriptFiles, scripts, type Shell } from './scripts/index.ts';
import { shellOf } from './shell.ts';
import { deleteFile } from '../../platform/delete-file.ts';

const marker = '# ucctl completion';

export async function installCompletion(ctx: Context, options: CompletionInstallOptions): Promise<void> {
  const shell = shellOf(ctx.env, options.shell);
  const { script, startFile } = placesOf(ctx, shell);
  const write = options.dryRun !== true;
  const isNewScript = await replace(script, () => asLatin1(scripts[shell]), write);
  const isNewLine =
    startFile !== undefined &&
    (await replace(startFile, (text) => withLines(text, loading(shell, script)), write));
  const isChange = isNewScript || isNewLine;
  if (!write) {
    const action = isChange ? 'not installed' : 'unchanged';
    await ctx.out.record<InstallRow>({ shell, script, startFile, action }, installRows.record);
    // The result above names the files.
    const files = [isNewScript && 'the script', isNewLine && 'the startup file'].filter(Boolean);
    const change = isChange ? `ucctl would write ${files.join(' and ')}` : 'completion is already installed';
    return ctx.out.note(`Dry run: ${change}.`);
  }
  const action = isChange ? 'installed' : 'unchanged';
  await ctx.out.record<InstallRow>({ shell, script, startFile, action }, installRows.record);
  if (action === 'installed') ctx.out.note(`Completion works in every new ${shell} session.`);
}

export async function uninstallCompletion(ctx: Context, options: CompletionInstallOptions): Promise<void> {
  const shell = shellOf(ctx.env, options.shell);
  const { script, startFile } = placesOf(ctx, shell);
  const write = options.dryRun !== true;
  const had = (await readIfThere(script)) !== undefined;
  // The script is deleted last, so that the next attempt after a failure finds everything.
  const hadLines = startFile !== undefined && (await replace(startFile, withoutLines, write));
  if (write) await deleteFile(script);
  const found = write ? 'removed' : 'not removed';
  const action = had || hadLines ? found : 'nothing to remove';
  await ctx.out.record<InstallRow>({ shell, script, startFile, action }, installRows.record);
  if (write) return;
  // The result above names the files.
  const parts = [had && 'the script', hadLines && 'the lines in the startup file'].filter(Boolean);
  const change =
    had || hadLines ? `ucctl would remove ${parts.join(' and ')}` : 'completion is not installed';
  ctx.out.note(`Dry run: ${change}.`);
}

function placesOf(
  { env, paths }: Context,
  shell: Shell,
): { readonly script: string; readonly startFile: string | undefined } {
  const home = env['HOME'] || env['USERPROFILE'] || homedir();
  const config = env['XDG_CONFIG_HOME'] || join(home, '.config');
  if (shell === 'fish') {
    return { script: join(config, 'fish', 'completions', scriptFiles.fish), startFile: undefined };
  }
  const startFiles = {
    bash: join(home, '.bashrc'),
    zsh: join(env['ZDOTDIR'] ?? home, '.zshrc'),
    powershell:
      env['USERPROFILE'] === undefined
        ? join(config, 'powershell', 'profile.ps1')
        : join(home, 'Documents', 'PowerShell', 'profile.ps1'),
  };
  return { script: join(paths.data, 'completion', scriptFiles[shell]), startFile: startFiles[shell] };
}

/** Returns the line that loads the script; it does nothing if the script is missing. */
function loading(shell: Shell, script: string): string {
  if (shell === 'powershell') {
    const path = `'${script.replaceAll("'", "''")}'`;
    return `if (Test-Path ${path}) { . ${path} }`;
  }
  const path = shellQuoted(script);
  if (shell === 'bash') return `[ -f ${path} ] && . ${path}`;
  return `[ -f ${path} ] && { (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }; . ${path} }`;
}

function withLines(text: string, line: string): string {
  const block = asLatin1(`${marker}\n${line}\n`);
  if (text.includes(block)) return text;
  const rest = withoutLines(text);
  const gap = rest === '' || rest.endsWith('\n') ? '' : '\n';
  return `${rest}${gap}${block}`;
}

/** Removes the marker line and the line after it. */
function withoutLines(text: string): string {
  const lines = text.split('\n');
  const at = lines.indexOf(marker);
  return at === -1 ? text : lines.toSpliced(at, 2).join('\n');
}

/** Returns the UTF-8 bytes of a text as Latin-1, in which any content of a file stays unchanged. */
function asLatin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/**
 * Writes a file if its content changes, unless `write` is false.
 * @param change gets and returns the content as Latin-1, which also preserves content that is not UTF-8
 * @returns whether the content differs
 */
async function replace(file: string, change: (text: string) => string, write = true): Promise<boolean> {
  const before = await readIfThere(file);
  const after = change(before ?? '');
  if (after === (before ?? '')) return false;
  if (!write) return true;
  const content = Buffer.from(after, 'latin1');
  try {
    if (before !== undefined && after.startsWith(before)) await overwriteInPlace(file, content);
    else await replaceContent(file, content);
  } catch (error) {
    throw new CommandError('not_written', Exit.local, `cannot write ${file}: ${fileFailureReason(error)}`, {
      hint: 'check the free disk space and the permissions of the file',
      cause: error,
    });
  }
  return true;
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
