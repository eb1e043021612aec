import { CommandError, Exit } from '../errors/command.ts';
import type { Queries, Transaction } from '../platform/postgres/postgres.ts';
import type { Migration } from './migration.ts';

/** Internal tables that only the owner of the store changes. */
const ownerTables = ['store_migration', 'store_setting'];

/** The roles that get privileges on the tables. Undefined for a role that is not used. */
export interface StoreRoles {
  readonly writer?: string | undefined;
  readonly reader?: string | undefined;
}

/** The names of the roles unless the user names others. */
export const defaultRoles = { writer: 'ucctl_writer', reader: 'ucctl_reader' } as const;

/** Returns an identifier for SQL, with quotation marks. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * Grants the writer role the privileges to use the store, and the reader role the privilege to read everything except
 * sessions and journals. Creates a missing role as a group role, which cannot log in.
 * @param options `canChoose`: whether the command has options for other roles
 * @throws {CommandError} `store_role_missing` (exit 12) if a role does not exist and cannot be created.
 * @throws {StoreError}
 */
export async function grantRoles(
  transaction: Transaction,
  schema: string,
  { writer, reader }: StoreRoles,
  { steps, canChoose }: { readonly steps: readonly Migration[]; readonly canChoose: boolean },
): Promise<void> {
  const appended = steps.flatMap(({ appendTables = [] }) => appendTables);
  const hidden = steps.flatMap(({ privateTables = [] }) => privateTables);
  if (writer !== undefined) {
    await requireRole(transaction, writer, canChoose ? '--writer' : undefined);
    await transaction.script(`
      grant usage on schema ${quoted(schema)} to ${quoted(writer)};
      grant select, insert, update, delete on all tables in schema ${quoted(schema)} to ${quoted(writer)};
      grant usage, select on all sequences in schema ${quoted(schema)} to ${quoted(writer)};
      grant execute on all functions in schema ${quoted(schema)} to ${quoted(writer)};
      revoke insert, update, delete on ${ownerTables.map(quoted).join(', ')} from ${quoted(writer)};
      ${appended.length > 0 ? `revoke update, delete on ${appended.map(quoted).join(', ')} from ${quoted(writer)};` : ''}`);
  }
  if (reader !== undefined) {
    await requireRole(transaction, reader, canChoose ? '--reader' : undefined);
    await transaction.script(`
      grant usage on schema ${quoted(schema)} to ${quoted(reader)};
      grant select on all tables in schema ${quoted(schema)} to ${quoted(reader)};
      grant execute on all functions in schema ${quoted(schema)} to ${quoted(reader)};
      ${hidden.length > 0 ? `revoke all on ${hidden.map(quoted).join(', ')} from ${quoted(reader)};` : ''}`);
  }
}

/** @param option the option of the command that names another role */
async function requireRole(
  transaction: Transaction,
  role: string,
  option: string | undefined,
): Promise<void> {
  if (await hasRole(transaction, role)) return;
  if (await canCreateRoles(transaction)) return transaction.script(`create role ${quoted(role)} nologin`);
  const choice = option === undefined ? '' : `, or specify another role with ${option}`;
  throw new CommandError(
    'store_role_missing',
    Exit.local,
    `role "${role}" not found, and this user is not allowed to create roles`,
    {
      hint: `ask a database administrator to run "create role ${quoted(role)} nologin"${choice}`,
    },
  );
}

/** Whether a role exists, or the user may create it. @throws {StoreError} */
export async function canGrantTo(db: Queries, role: string): Promise<boolean> {
  return (await hasRole(db, role)) || canCreateRoles(db);
}

async function hasRole(db: Queries, role: string): Promise<boolean> {
  return (await db.query('select 1 from pg_roles where rolname = $1', [role])).length > 0;
}

async function canCreateRoles(db: Queries): Promise<boolean> {
  const sql = 'select 1 from pg_roles where rolname = current_user and (rolsuper or rolcreaterole)';
  return (await db.query(sql)).length > 0;
}
