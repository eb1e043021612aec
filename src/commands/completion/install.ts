import { readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../platform/make-folder.ts';
import type { Context } from '../../runtime/context.ts';
import type { View } from '../../runtime/output.ts';
import type { CompletionShellOptions } from './options.ts';
import { scriptFiles, scripts, type Shell } from './scripts/index.ts';
import { shellOf } from './shell.ts';

interface Installed {
  readonly shell: Shell;
  readonly script: string;
  /** The start file that loads it; fish needs none. */
  readonly startFile: string | undefined;
  readonly action: 'installed' | 'unchanged' | 'removed' | 'nothing to remove';
}

const view: View<Installed> = {
  columns: [
    { key: 'shell', title: 'Shell', value: (row) => row.shell },
    { key: 'script', title: 'Script', value: (row) => row.script },
    { key: 'startFile', title: 'Start file', value: (row) => row.startFile },
    { key: 'action', title: 'Done', value: (row) => row.action },
  ],
};
const mark = '# ucctl completion';

/** `completion install` */
export async function installCompletion(ctx: Context, options: CompletionShellOptions): Promise<void> {
  const shell = shellOf(ctx.env, options.shell);
  const { script, startFile } = placesOf(ctx, shell);
  const changed = [await replace(script, () => scripts[shell])];
  if (startFile !== undefined) {
    changed.push(await replace(startFile, (text) => withLines(text, loading(shell, script))));
  }
  const action = changed.includes(true) ? 'installed' : 'unchanged';
  await ctx.out.record<Installed>({ shell, script, startFile, action }, view);
  if (action === 'installed') ctx.out.note(`It works in every new ${shell}.`);
}

/** `completion uninstall` */
export async function uninstallCompletion(ctx: Context, options: CompletionShellOptions): Promise<void> {
  const shell = shellOf(ctx.env, options.shell);
  const { script, startFile } = placesOf(ctx, shell);
  const had = (await readIfThere(script)) !== undefined;
  await rm(script, { force: true });
  const hadLines = startFile !== undefined && (await replace(startFile, withoutLines));
  const action = had || hadLines ? 'removed' : 'nothing to remove';
  await ctx.out.record<Installed>({ shell, script, startFile, action }, view);
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

/** The line that loads the script, harmless when the script is gone. */
function loading(shell: Shell, script: string): string {
  if (shell === 'powershell') {
    const path = `'${script.replaceAll("'", "''")}'`;
    return `if (Test-Path ${path}) { . ${path} }`;
  }
  const path = `'${script.replaceAll("'", String.raw`'\''`)}'`;
  if (shell === 'bash') return `[ -f ${path} ] && . ${path}`;
  return `[ -f ${path} ] && { (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }; . ${path} }`;
}

function withLines(text: string, line: string): string {
  const block = `${mark}\n${line}\n`;
  if (text.includes(block)) return text;
  const rest = withoutLines(text);
  const gap = rest === '' || rest.endsWith('\n') ? '' : '\n';
  return `${rest}${gap}${block}`;
}

/** The mark and the line after it go; everything else stays as it is. */
function withoutLines(text: string): string {
  const lines = text.split('\n');
  const at = lines.indexOf(mark);
  return at === -1 ? text : lines.toSpliced(at, 2).join('\n');
}

/**
 * Writes a file when that changes it. In place, not by renaming: a start file is often a symbolic link into somebody's collection.
 * @returns whether it changed.
 */
async function replace(file: string, change: (text: string) => string): Promise<boolean> {
  const before = await readIfThere(file);
  const after = change(before ?? '');
  if (after === (before ?? '')) return false;
  makeFolder(dirname(file));
  await writeFile(file, after);
  return true;
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
