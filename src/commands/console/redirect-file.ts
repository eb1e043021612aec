import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deleteFileSync } from '../../platform/delete-file.ts';
import { makeFolder } from '../../platform/make-folder.ts';

/** A file that only the user can read, and that takes a browser to an address. */
export interface RedirectFile {
  readonly file: string;
  remove(): void;
}

/**
 * Writes a page that takes the browser to an address with a token. Other users of the machine can read the command line
 * of a browser, but not this file. @throws the error of the system if the file cannot be written.
 * @param url an address without characters that HTML escapes
 */
export function writeRedirectFile(folder: string, url: string): RedirectFile {
  makeFolder(folder, 0o700);
  const file = join(folder, `console-${randomUUID()}.html`);
  const page = `<!doctype html><meta charset="utf-8"><title>ucctl</title><meta http-equiv="refresh" content="0;url=${url}">\n`;
  writeFileSync(file, page, { flag: 'wx', mode: 0o600 });
  return { file, remove: () => deleteFileSync(file) };
}
