import type { KnownExtension } from '../../../store/call-store.ts';
import { insertText, prepareNamed } from '../../../platform/named-statement.ts';
import { transaction, type Database } from '../../../platform/sqlite.ts';

/**
 * Stores the names of the account's extensions. Extensions that no longer exist remain stored, because the copy still
 * has their calls.
 */
export function saveExtensions(db: Database, extensions: readonly KnownExtension[]): void {
  const columns = ['extension_id', 'extension_number', 'name', 'type'];
  const save = prepareNamed(db, insertText('call_extension', columns, 'REPLACE'));
  transaction(db, () => {
    for (const { id, extensionNumber, name, type } of extensions) {
      save.run({
        extension_id: id,
        extension_number: extensionNumber ?? null,
        name,
        type,
      });
    }
  });
}

/** Returns the extensions whose names are stored. */
export function knownExtensions(db: Database): readonly KnownExtension[] {
  const rows = db
    .prepare('SELECT extension_id AS id, extension_number AS extensionNumber, name, type FROM call_extension')
    .all() as readonly (KnownExtension & { readonly extensionNumber: string | null })[];
  return rows.map(({ id, extensionNumber, name, type }) => ({
    id,
    extensionNumber: extensionNumber ?? undefined,
    name,
    type,
  }));
}
