import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { madeDocuments, madeFolders } from './documents/all.ts';

// Writes the references of commands and library, the coverage document and the table of reads; test/docs/made.outer.test.ts compares them.
for (const folder of madeFolders) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}
for (const [file, text] of await madeDocuments()) writeFileSync(file, text);
