import type { Database } from '../../../platform/sqlite.ts';

/** The service whose events are looked for. A profile is used with several when UCCTL_BASE_URL or --base-url names another one. */
export interface InboxService {
  /** Undefined where no address of a service is known: then the first inbox of the profile is meant. */
  readonly origin: string | undefined;
  /** Whether an inbox that has no service yet becomes that of this one: what writes events claims it, what reads them does not. */
  readonly claim: boolean;
}

/** Whether an inbox is that of the service, after claiming it if it has none. An inbox of an older version has none. */
export function belongsTo(db: Database, { origin, claim }: InboxService): boolean {
  if (origin === undefined) return true;
  const query = db.prepare('SELECT origin FROM service');
  const read = (): string | undefined => (query.get() as { origin: string } | undefined)?.origin;
  const known = read();
  if (known !== undefined) return known === origin;
  if (!claim) return true;
  // Another process may claim it first.
  db.prepare('INSERT INTO service VALUES (1, ?) ON CONFLICT DO NOTHING').run(origin);
  return read() === origin;
}
