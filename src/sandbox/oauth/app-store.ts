import { permissionIncludes, type Permission } from '../../contract/enums.ts';
import type { Database } from '../../platform/sqlite.ts';
import { prepare, prepareInsert } from '../world/sql.ts';

/** Registration of an application; decides the flows it may use (OAUTH-7). */
export type Registration =
  | 'Private'
  | 'Public'
  | 'PrivateBrowserBased'
  | 'PrivateServerWeb'
  | 'NoUserInterface'
  | 'TrustedPartner';

interface StoredApp {
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly name: string;
  readonly registration: Registration;
  readonly refreshAllowed: number;
  readonly production: number;
  readonly permissions: string;
  readonly redirectUris: string;
}
export interface App {
  readonly clientId: string;
  /** Null for a public app, which has none. */
  readonly clientSecret: string | null;
  readonly name: string;
  readonly registration: Registration;
  readonly refreshAllowed: boolean;
  /** In production: webhooks need https. */
  readonly production: boolean;
  /** As registered. */
  readonly permissions: readonly Permission[];
  /** With all that they include, transitively. */
  readonly granted: ReadonlySet<string>;
  readonly redirectUris: readonly string[];
}

/** The registered apps. */
export class AppStore {
  readonly #byId;
  readonly #all;
  readonly #add;
  readonly #known = new Map<string, App>();

  constructor(db: Database) {
    this.#byId = prepare<StoredApp>(db, 'SELECT * FROM app WHERE clientId = :clientId');
    this.#all = prepare<StoredApp>(db, 'SELECT * FROM app ORDER BY rowid');
    this.#add = prepareInsert<StoredApp>(
      db,
      'app',
      [
        'clientId',
        'clientSecret',
        'name',
        'registration',
        'refreshAllowed',
        'production',
        'permissions',
        'redirectUris',
      ],
      'REPLACE',
    );
  }

  byId(clientId: string): App | undefined {
    const known = this.#known.get(clientId);
    if (known) return known;
    const row = this.#byId.get({ clientId });
    if (!row) return undefined;
    const app = toApp(row);
    this.#known.set(clientId, app);
    return app;
  }

  /** Reads anew from now on, after the tables were replaced. */
  forget(): void {
    this.#known.clear();
  }

  all(): readonly App[] {
    return this.#all.all().map(toApp);
  }

  save(app: Omit<App, 'granted'>): void {
    this.#known.delete(app.clientId);
    this.#add.run({
      clientId: app.clientId,
      clientSecret: app.clientSecret,
      name: app.name,
      registration: app.registration,
      refreshAllowed: Number(app.refreshAllowed),
      production: Number(app.production),
      permissions: JSON.stringify(app.permissions),
      redirectUris: JSON.stringify(app.redirectUris),
    });
  }
}

function toApp(row: StoredApp): App {
  const permissions = JSON.parse(row.permissions) as Permission[];
  return {
    clientId: row.clientId,
    clientSecret: row.clientSecret,
    name: row.name,
    registration: row.registration,
    refreshAllowed: row.refreshAllowed === 1,
    production: row.production === 1,
    permissions,
    granted: withIncludes(permissions),
    redirectUris: JSON.parse(row.redirectUris) as string[],
  };
}

/** All permissions that these grant (PERMISSION-2). */
function withIncludes(permissions: readonly Permission[]): ReadonlySet<string> {
  const all = new Set<Permission>();
  const visit = (permission: Permission): void => {
    if (all.has(permission)) return;
    all.add(permission);
    for (const included of permissionIncludes[permission]) visit(included);
  };
  for (const permission of permissions) visit(permission);
  return all;
}
