import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';

/** A file that only the user can read, and that takes a browser to an address. */
export interface RedirectFile {
  readonly file: string;
  remove(): void;
}

/**
 * Writes a page that takes the browser to an address with a secret. Other users of the machine can read the command line
 * of a browser, but not this file. @throws the error of the system if the file cannot be written.
 * @param name the beginning of the name of the file
 */
export function writeRedirectFile(folder: string, name: string, url: string): RedirectFile {
  makeFolder(folder, 0o700);
  const file = join(folder, `${name}-${randomUUID()}.html`);
  const content = `0;url=${url}`.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const page = `<!doctype html><meta charset="utf-8"><title>ucctl</title><meta http-equiv="refresh" content="${content}">\n`;
  writeFileSync(file, page, { flag: 'wx', mode: 0o600 });
  return { file, remove: () => rmSync(file, { force: true }) };
}
