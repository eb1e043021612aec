import { flag, integer, nullable, oneOf, optional, text, time } from '../../runtime/output-schema.ts';
import { rows } from '../../runtime/rows.ts';

export const migrationRows = rows(
  {},
  {
    store: { schema: text, title: 'Store' },
    schema: { schema: text, title: 'Schema' },
    from: { schema: integer, title: 'From version' },
    to: { schema: integer, title: 'To version' },
    writer: { schema: nullable(text), title: 'Writer role' },
    reader: { schema: nullable(text), title: 'Reader role' },
  },
);

export const storeStatusRows = rows(
  {},
  {
    store: { schema: text, title: 'Store' },
    source: { schema: text, title: 'Set by' },
    server: { schema: text, title: 'PostgreSQL' },
    tls: { schema: text, title: 'TLS' },
    readOnly: { schema: flag, title: 'Read-only' },
    schema: { schema: text, title: 'Schema' },
    version: { schema: integer, title: 'Version' },
    newestVersion: { schema: integer, title: 'Newest known' },
    migratedAt: { schema: nullable(time), title: 'Migrated', kind: 'time' },
    writer: { schema: nullable(text), title: 'Writer role' },
    reader: { schema: nullable(text), title: 'Reader role' },
    bytes: { schema: integer, title: 'Bytes' },
    connections: { schema: integer, title: 'Connections' },
  },
);

export const storeFindingRows = rows(
  {},
  {
    check: { schema: text, title: 'CHECK', priority: 4 },
    result: { schema: oneOf('ok', 'warn', 'fail'), title: 'RESULT', kind: 'status', priority: 4 },
    found: { schema: text, title: 'FOUND', priority: 3, folds: true },
    todo: { schema: optional(text), title: 'FIX', priority: 2, folds: true },
  },
);
