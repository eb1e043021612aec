import type { Extension } from '../../contract/extension.ts';
import { transaction, type Database } from '../../platform/sqlite.ts';

/** What statistics need to know of an extension. */
export interface KnownExtension {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

/** Notes the names of the account's extensions. Those that are gone stay: their calls are still there. */
export function saveExtensions(
  db: Database,
  extensions: readonly (Pick<Extension, 'id'> & Partial<Extension>)[],
): void {
  const save = db.prepare('INSERT OR REPLACE INTO call_extension VALUES (?, ?, ?, ?)');
  transaction(db, () => {
    for (const { id, extensionNumber, name, type } of extensions) {
      save.run(String(id), extensionNumber ?? null, name ?? extensionNumber ?? String(id), type ?? '');
    }
  });
}

/** The extensions whose names were noted. */
export function knownExtensions(db: Database): readonly KnownExtension[] {
  const rows = db.prepare('SELECT extension_id AS id, name, type FROM call_extension').all();
  return rows as readonly KnownExtension[];
}
