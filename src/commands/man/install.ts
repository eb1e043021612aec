import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { writeFile } from 'node:fs/promises';
import { counted } from '../../platform/counted.ts';
import { deleteFile } from '../../platform/delete-file.ts';
import { fileFailureReason } from '../../platform/file-failure.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { namesInPackage, readPackageFile } from '../../platform/package-file.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { manRows, type ManRow } from './man.rows.ts';
import type { ManOptions } from './options.ts';
import { shellWord } from '../../platform/shell-quoted.ts';

export async function installMan(ctx: Context, options: ManOptions): Promise<void> {
  const root = rootOf(ctx, options);
  const folder = join(root, 'man1');
  const pages = packedPages();
  const changed = pages.filter(
    ({ name, text }) => !isLinked(join(folder, name)) && textOf(join(folder, name)) !== text,
  );
  if (options.dryRun) {
    const action = changed.length === 0 ? 'unchanged' : 'not installed';
    await ctx.out.record<ManRow>({ folder, pages: pages.length, action }, manRows.record);
    const write = `ucctl would write ${counted(changed.length, 'page')}`;
    return ctx.out.note(`Dry run: ${changed.length === 0 ? 'the pages are already installed' : write}.`);
  }
  try {
    makeFolder(folder);
    for (const { name, text } of changed) {
      // A link without a file, as of a package that was moved, would send the text elsewhere.
      await deleteFile(join(folder, name));
      await writeFile(join(folder, name), text);
    }
  } catch (error) {
    throw notWritten(folder, error);
  }
  const action = changed.length === 0 ? 'unchanged' : 'installed';
  await ctx.out.record<ManRow>({ folder, pages: pages.length, action }, manRows.record);
  if (!isSearched(ctx, root)) {
    ctx.out.note('If "man ucctl" finds no page, add this line to the startup file of your shell:');
    // A separate line, so that the terminal does not wrap the text to copy.
    ctx.out.note(`export MANPATH=${shellWord(root)}:"$MANPATH"`);
  }
}

export async function uninstallMan(ctx: Context, options: ManOptions): Promise<void> {
  const folder = join(rootOf(ctx, options), 'man1');
  const names = namesIn(folder).filter(
    (name) => /^ucctl(-[a-z]+)?\.1$/.test(name) && !isLinked(join(folder, name)),
  );
  if (options.dryRun) {
    const action = names.length === 0 ? 'nothing to remove' : 'not removed';
    await ctx.out.record<ManRow>({ folder, pages: names.length, action }, manRows.record);
    const removal = `ucctl would remove ${counted(names.length, 'page')}`;
    return ctx.out.note(`Dry run: ${names.length === 0 ? 'no pages are installed' : removal}.`);
  }
  try {
    for (const name of names) await deleteFile(join(folder, name));
  } catch (error) {
    throw notWritten(folder, error);
  }
  const action = names.length === 0 ? 'nothing to remove' : 'removed';
  await ctx.out.record<ManRow>({ folder, pages: names.length, action }, manRows.record);
}

function rootOf(ctx: Context, { dir }: ManOptions): string {
  // The default is the folder next to the data folder of ucctl, because man searches ~/.local/share/man on most
  // systems.
  return dir === undefined ? join(dirname(ctx.paths.data), 'man') : resolve(ctx.cwd, dir);
}

/** Returns whether man searches `root`: it searches DIR/share/man for each DIR/bin of PATH, unless MANPATH is set. */
function isSearched({ env }: Context, root: string): boolean {
  const listed = (env['MANPATH'] ?? '').split(delimiter);
  const fromPath = (env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(dirname(folder), 'share', 'man'));
  return listed.includes(root) || (env['MANPATH'] === undefined && fromPath.includes(root));
}

/** Returns the manual pages that the build created. */
function packedPages(): readonly { readonly name: string; readonly text: string }[] {
  const pages = namesInPackage('man').flatMap((name) => {
    const content = readPackageFile(`man/${name}`);
    return content ? [{ name, text: Buffer.from(content).toString('utf8') }] : [];
  });
  if (pages.length === 0) {
    throw new CommandError(
      'incomplete_install',
      Exit.local,
      'the manual pages are missing from this installation',
      {
        hint: 'reinstall ucctl; in a checkout, run: npm run build',
      },
    );
  }
  return pages;
}

/** Whether a page is a link to a file, as of `npm install --global`. npm replaces and removes only its own links. */
function isLinked(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true && existsSync(file);
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
  const message = `cannot write the manual pages in ${folder}: ${fileFailureReason(cause)}`;
  return new CommandError('not_written', Exit.local, message, {
    hint: 'choose another folder with --dir, or run the command as a user who may write to this folder',
    cause,
  });
}
