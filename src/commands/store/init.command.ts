import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import type { StoreInitOptions } from './init.ts';
import { migrationRows } from './store.rows.ts';

export const storeInit = defineCommand<StoreInitOptions>({
  path: ['store', 'init'],
  summary: 'Create the tables of ucctl in a PostgreSQL database',
  description:
    'Creates a schema with all tables in one transaction, and gives rights to two roles. The writer role uses the store; the reader role reads the archive, but no session and no journal.',
  details:
    'The address comes from --store, UCCTL_STORE or the profile. It contains no password: ucctl reads PGPASSFILE (default ~/.pgpass) or ' +
    'PGPASSWORD. Only UCCTL_STORE may contain one.\n\n' +
    'Connections to other machines use TLS, and the certificate is verified for the host name (sslmode=verify-full). sslrootcert=FILE ' +
    'names the authority. sslmode=disable must be given explicitly.\n\n' +
    'Without --writer and --reader, the roles are ucctl_writer and ucctl_reader. They are created as group roles if the user may ' +
    'create roles, otherwise they are skipped with a warning. Grant them to the users of the machines.',
  options: {
    writer: { type: 'string', value: 'ROLE', summary: 'Role that gets the rights to use the store' },
    reader: { type: 'string', value: 'ROLE', summary: 'Role that gets the right to read the archive' },
  },
  examples: [
    {
      comment: 'In the database ucctl, with the password in ~/.pgpass',
      command: 'ucctl store init --store postgres://owner@db.example.com/ucctl',
    },
  ],
  output: record(migrationRows),
  exitCodes: {
    11: 'the store is already initialized',
    12: 'the server is not reachable or not usable',
  },
  load: () => import('./init.ts').then((m) => m.initStore),
});
