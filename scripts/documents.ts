import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { madeDocuments, madeFolders } from './documents/all.ts';

// The command reference and the manual pages; test/docs/made.outer.test.ts compares.
for (const folder of madeFolders) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}
for (const [file, text] of await madeDocuments()) writeFileSync(file, text);
