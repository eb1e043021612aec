import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import type { StoreInitOptions } from './init.ts';
import { migrationRows } from './store.rows.ts';

export const storeInit = defineCommand<StoreInitOptions>({
  path: ['store', 'init'],
  summary: 'Create the tables of ucctl in a PostgreSQL database',
  description:
    'Creates a schema with all tables in one transaction, and grants privileges to two roles. The writer role can read and write the store. The reader role can read the archive, but not the sessions or journals.',
  details:
    'The address comes from --store, UCCTL_STORE or the profile. Do not put a password into the address: ucctl reads the password from PGPASSFILE (default ~/.pgpass) or PGPASSWORD. Only the address in UCCTL_STORE may contain a password.\n\n' +
    'Connections to other machines use TLS, and ucctl verifies the certificate and its host name (sslmode=verify-full). sslrootcert=FILE names the certificate authority. For connections without TLS, specify sslmode=disable.\n\n' +
    'Without --writer and --reader, the roles are ucctl_writer and ucctl_reader. If the user may create roles, ucctl creates missing roles as group roles; otherwise, ucctl prints a warning. Grant the roles to the database users of the machines.',
  options: {
    writer: { type: 'string', value: 'ROLE', summary: 'Role that may use the store' },
    reader: { type: 'string', value: 'ROLE', summary: 'Role that may read the archive' },
  },
  examples: [
    {
      comment: 'Create the tables in the database ucctl, with the password in ~/.pgpass',
      command: 'ucctl store init --store postgres://owner@db.example.com/ucctl',
    },
  ],
  output: record(migrationRows),
  exitCodes: {
    11: 'the store is already initialized',
    12: 'ucctl cannot reach or use the server',
  },
  load: () => import('./init.ts').then((m) => m.initStore),
});
