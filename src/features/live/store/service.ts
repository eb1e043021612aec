import type { Database } from '../../../platform/sqlite.ts';

/** The service that events belong to. A profile may be used with several services (UCCTL_BASE_URL, --base-url). */
export interface InboxService {
  /** Origin of the service; undefined if no address is configured, which selects the first inbox of the profile. */
  readonly origin: string | undefined;
  /** Whether an inbox without a service is assigned to this service. Only commands that add events assign it. */
  readonly claim: boolean;
  /** Whether the inbox is only read, so that it need not be writable. */
  readonly onlyReads?: boolean;
}

/**
 * Whether an inbox belongs to the service. An inbox without a service, for example of an older version, belongs to any
 * service; with `claim`, it is assigned to this service.
 */
export function belongsTo(db: Database, { origin, claim }: InboxService): boolean {
  if (origin === undefined) return true;
  const query = db.prepare('SELECT origin FROM service');
  const read = (): string | undefined => (query.get() as { origin: string } | undefined)?.origin;
  const known = read();
  if (known !== undefined) return known === origin;
  if (!claim) return true;
  // Another process may claim the inbox at the same time.
  db.prepare('INSERT INTO service (one, origin) VALUES (1, ?) ON CONFLICT DO NOTHING').run(origin);
  return read() === origin;
}
