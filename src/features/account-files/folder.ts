import { mkdir, readdir, readFile, realpath, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError, Exit, usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { isTemporaryOf, syncFolder, writeFileAtomic } from '../../platform/atomic-file.ts';
import { fileFailureReason } from '../../platform/file-failure.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { sha256 } from '../../platform/sha256.ts';
import { decodeText, encodingNote } from '../bulk/index.ts';
import { manifestFile, readManifest, writeManifest, type Manifest } from './manifest.ts';
import { fileOf, partNames, type PartName } from './parts.ts';

/** The texts of the files of an account, by part. */
export type AccountTexts = Partial<Readonly<Record<PartName, string>>>;

/** A folder that `account export` has written, with the current texts of its files. */
export interface AccountFolder {
  readonly manifest: Manifest;
  readonly texts: AccountTexts;
  /** Notes about files that are not UTF-8. */
  readonly notes: readonly string[];
}

/** Start of the name of the folder in which new files are prepared. */
const stagingPrefix = '.ucctl-export-';

/**
 * Reads an exported folder; undefined if the path does not exist, or is an empty folder.
 * @param shown the path as the user wrote it
 * @throws {CommandError} `unreadable_file` (exit 2) for a path that cannot be read; `exists` (exit 11) for a folder
 * with other content
 */
export async function readFolder(path: string, shown: string): Promise<AccountFolder | undefined> {
  const names = (await namesIn(path, shown)).filter((name) => !isStaging(name) && !isTemporaryOf(name, ''));
  if (names.length === 0) return undefined;
  const notes: string[] = [];
  const read = async (name: string): Promise<string> => {
    const { text, note } = await readText(join(path, name), join(shown, name));
    if (note !== undefined) notes.push(note);
    return text;
  };
  const description = names.includes(manifestFile) ? await read(manifestFile) : undefined;
  if (description === undefined) throw otherContent(shown, `${manifestFile} is missing`);
  const texts: Partial<Record<PartName, string>> = {};
  for (const part of partNames) {
    if (names.includes(fileOf(part))) texts[part] = await read(fileOf(part));
  }
  return { manifest: manifestOf(description, shown), texts, notes };
}

/** Reads a text with the line breaks of the export, because Git may convert them in a working tree (`core.autocrlf`). */
async function readText(
  file: string,
  shown: string,
): Promise<{ readonly text: string; readonly note: string | undefined }> {
  const bytes = await readFile(file);
  try {
    const { text, encoding } = decodeText(bytes, 'save it as UTF-8 text');
    return {
      text: text.replaceAll('\r\n', '\n'),
      note: encodingNote(shown, encoding, 'if names look wrong'),
    };
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new CommandError('unreadable_file', Exit.usage, `cannot read ${shown}: ${cause.message}`, {
      cause,
    });
  }
}

/** Returns the readable export of this service in a folder whose content may be overwritten (`--clobber`). */
export async function replacedExport(path: string, service: string): Promise<AccountFolder | undefined> {
  const folder = await readFolder(path, path).catch(() => undefined);
  return folder?.manifest.service === service ? folder : undefined;
}

async function namesIn(path: string, shown: string): Promise<readonly string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new CommandError(
      'unreadable_file',
      Exit.usage,
      `cannot read ${shown}: ${fileFailureReason(error)}`,
      { hint: 'specify a folder that you can read' },
    );
  }
}

function manifestOf(text: string, shown: string): Manifest {
  try {
    return readManifest(text);
  } catch (error) {
    throw otherContent(shown, `${manifestFile} ${(error as Error).message}`);
  }
}

function otherContent(shown: string, why: string): CommandError {
  return new CommandError('exists', Exit.conflict, `${shown} is not an exported account: ${why}`, {
    hint: 'specify another folder, or use --clobber to export into this folder; other files stay unchanged',
  });
}

/**
 * Checks that an export does not overwrite edits of the files that are not in the account.
 * @throws {CommandError} `exists` (exit 11) with the names of these files
 */
export function requireNoEdits({ manifest, texts }: AccountFolder, next: AccountTexts, shown: string): void {
  // An interrupted export has already recorded the hashes of the new content.
  if (!manifest.complete) return;
  const edited = partNames.filter((part) => {
    const text = texts[part];
    const hash = text === undefined ? undefined : sha256(text);
    return hash !== undefined && hash !== manifest.files[part] && text !== next[part] && part in next;
  });
  if (edited.length === 0) return;
  const files = edited.map(fileOf);
  throw new CommandError(
    'exists',
    Exit.conflict,
    `files in ${shown} have changed since the export: ${files.join(', ')}`,
    {
      hint: nextStep`use --clobber to overwrite the edited files, or show the edits: ${ucctl`account diff ${shown}`}`,
    },
  );
}

/**
 * Writes an account into a folder. Writes all files into a staging folder and then renames them, so that no file is
 * ever half-written. During the renames, the manifest marks the export as incomplete. The folder must be locked.
 * @param facts the facts for the manifest, and the earlier export in the folder
 */
export async function writeFolder(
  path: string,
  texts: AccountTexts,
  {
    earlier,
    ...facts
  }: Pick<Manifest, 'created' | 'service' | 'personal'> & {
    readonly earlier?: AccountFolder | undefined;
  },
): Promise<void> {
  const { randomBytes } = await import('node:crypto');
  const staging = join(path, `${stagingPrefix}${randomBytes(6).toString('hex')}`);
  const parts = partNames.filter((part) => texts[part] !== undefined);
  const others = otherFiles(earlier, texts);
  const own = Object.fromEntries(parts.map((part) => [part, sha256(texts[part] ?? '')]));
  const files = { ...others.files, ...own };
  const personal = facts.personal || others.personal;
  const describe = (complete: boolean): Promise<void> =>
    writeFileAtomic(join(path, manifestFile), writeManifest({ ...facts, personal, complete, files }));
  try {
    await removeStaging(path);
    await mkdir(staging, { mode: 0o700 });
    for (const part of parts) await writeFileAtomic(join(staging, fileOf(part)), texts[part] ?? '');
    await describe(false);
    for (const part of parts) await rename(join(staging, fileOf(part)), join(path, fileOf(part)));
    await syncFolder(path);
    await describe(true);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Returns what the manifest records about the files of an earlier export that an export of other parts leaves unchanged. */
function otherFiles(
  earlier: AccountFolder | undefined,
  next: AccountTexts,
): Pick<Manifest, 'files' | 'personal'> {
  if (!earlier) return { files: {}, personal: false };
  const { manifest, texts } = earlier;
  const parts = partNames.filter((part) => texts[part] !== undefined && next[part] === undefined);
  return {
    files: Object.fromEntries(parts.map((part) => [part, manifest.files[part]])),
    personal: manifest.personal && (parts.includes('hours') || parts.includes('rules')),
  };
}

/**
 * Creates the folder of an export if it does not exist. Returns its real path.
 * @throws {CommandError} `no_folder` (exit 12) if the folder cannot be created
 */
export async function makeExportFolder(path: string, shown: string): Promise<string> {
  try {
    makeFolder(path);
    return await realpath(path);
  } catch (error) {
    throw new CommandError(
      'no_folder',
      Exit.local,
      `cannot create the folder ${shown}: ${fileFailureReason(error)}`,
      { hint: 'specify a folder in which you can create files', cause: error },
    );
  }
}

/** Removes the staging folders of killed exports. */
async function removeStaging(path: string): Promise<void> {
  const names = await readdir(path);
  for (const name of names.filter(isStaging)) await rm(join(path, name), { recursive: true, force: true });
}

function isStaging(name: string): boolean {
  return name.startsWith(stagingPrefix);
}

/**
 * Requires a complete export of this service.
 * @throws {CommandError} `usage` (exit 2) without an export, after an interrupted export, or if an exported file is
 * missing; `other_service` (exit 11)
 */
export function requireExport(
  folder: AccountFolder | undefined,
  shown: string,
  service: string,
): AccountFolder {
  const exporting = ucctl`account export ${shown}`;
  const again = nextStep`export the account: ${exporting}`;
  if (folder === undefined) throw usageError(`${shown} does not contain an exported account`, again);
  const { manifest, texts } = folder;
  if (!manifest.complete) throw usageError(`the export into ${shown} was interrupted`, again);
  requireSameService(folder, shown, service, 'select a profile of that service (-p NAME)');
  if (Object.keys(texts).length === 0) throw usageError(`${shown} contains no files of the account`, again);
  const exported = partNames.filter((part) => manifest.files[part] !== undefined);
  const missing = exported.filter((part) => texts[part] === undefined).map(fileOf);
  if (missing.length === 0) return folder;
  const others = exported.filter((part) => texts[part] !== undefined);
  throw usageError(
    `exported files are missing in ${shown}: ${missing.join(', ')}`,
    nextStep`restore the files, or export only the other files: ${ucctl`${exporting} --only ${others.join(',')}`}`,
  );
}

/** Requires an export of this service. @throws {CommandError} `other_service` (exit 11) */
export function requireSameService(
  { manifest }: AccountFolder,
  shown: string,
  service: string,
  hint: string,
): void {
  if (manifest.service === service) return;
  const message = `${shown} was exported from ${manifest.service}, which is not the service of this profile`;
  throw new CommandError('other_service', Exit.conflict, message, { hint });
}
