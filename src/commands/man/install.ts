import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeFile } from 'node:fs/promises';
import { fileTrouble } from '../../platform/file-trouble.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import type { View } from '../../runtime/output.ts';
import type { ManOptions } from './options.ts';

interface Installed {
  /** The folder that holds the pages. */
  readonly folder: string;
  readonly pages: number;
  readonly action: 'installed' | 'unchanged' | 'removed' | 'nothing to remove';
}

const view: View<Installed> = {
  columns: [
    { key: 'folder', title: 'Folder', value: (row) => row.folder },
    { key: 'pages', title: 'Pages', value: (row) => row.pages },
    { key: 'action', title: 'Action', value: (row) => row.action },
  ],
};

/** `man install` */
export async function installMan(ctx: Context, options: ManOptions): Promise<void> {
  const root = rootOf(ctx, options);
  const folder = join(root, 'man1');
  const pages = packedPages();
  const changed = pages.filter(({ name, text }) => textOf(join(folder, name)) !== text);
  try {
    makeFolder(folder);
    for (const { name, text } of changed) await writeFile(join(folder, name), text);
  } catch (error) {
    throw notWritten(folder, error);
  }
  const action = changed.length === 0 ? 'unchanged' : 'installed';
  await ctx.out.record<Installed>({ folder, pages: pages.length, action }, view);
  if (!isSearched(ctx, root)) {
    ctx.out.note(
      `If "man ucctl" finds nothing, add this line to the start file of your shell: export MANPATH="${root}:$MANPATH"`,
    );
  }
}

/** `man uninstall` */
export async function uninstallMan(ctx: Context, options: ManOptions): Promise<void> {
  const folder = join(rootOf(ctx, options), 'man1');
  const names = namesIn(folder).filter((name) => /^ucctl(-[a-z]+)?\.1$/.test(name));
  try {
    for (const name of names) rmSync(join(folder, name));
  } catch (error) {
    throw notWritten(folder, error);
  }
  const action = names.length === 0 ? 'nothing to remove' : 'removed';
  await ctx.out.record<Installed>({ folder, pages: names.length, action }, view);
}

function rootOf(ctx: Context, { dir }: ManOptions): string {
  // Beside our own data folder, as the man command of most systems searches it.
  return dir === undefined ? join(dirname(ctx.paths.data), 'man') : resolve(ctx.cwd, dir);
}

/** Whether man searches there by itself: it takes DIR/share/man for each DIR/bin of the PATH, unless MANPATH says otherwise. */
function isSearched({ env }: Context, root: string): boolean {
  const listed = (env['MANPATH'] ?? '').split(delimiter);
  const fromPath = (env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(dirname(folder), 'share', 'man'));
  return listed.includes(root) || (env['MANPATH'] === undefined && fromPath.includes(root));
}

/** The pages of this program, made when it was built. */
function packedPages(): readonly { readonly name: string; readonly text: string }[] {
  const here = dirname(fileURLToPath(import.meta.url));
  const folder = [join(here, '..', 'man'), join(here, '..', '..', '..', 'dist', 'man')].find((candidate) =>
    namesIn(candidate).includes('ucctl.1'),
  );
  if (folder === undefined) {
    throw new CommandError(
      'incomplete_install',
      Exit.local,
      'the manual pages are missing from this installation',
      {
        hint: 'install ucctl again; in a checkout: npm run build',
      },
    );
  }
  return namesIn(folder).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function notWritten(folder: string, cause: unknown): CommandError {
  const message = `the manual pages in ${folder} cannot be changed: ${fileTrouble(cause)}`;
  return new CommandError('not_written', Exit.local, message, {
    hint: 'choose another folder with --dir, or run it as a user who may write there',
    cause,
  });
}
