import type { DialectName } from '../../contract/dialects.ts';
import {
  currentPermissionIncludes,
  permissionIncludes,
  type CurrentPermission,
} from '../../contract/enums.ts';
import type { Database } from '../../platform/sqlite.ts';
import { prepare, prepareInsert } from '../world/sql.ts';

/** Registration of an application, which determines its flows (OAUTH-7). */
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
  /** The client secret; null for a public app. */
  readonly clientSecret: string | null;
  readonly name: string;
  readonly registration: Registration;
  readonly refreshAllowed: boolean;
  /** Whether the app is in production, in which case webhooks need https. */
  readonly production: boolean;
  /** The registered permissions. */
  readonly permissions: readonly CurrentPermission[];
  /** The registered permissions and all permissions that they include, directly or indirectly. */
  readonly granted: ReadonlySet<string>;
  readonly redirectUris: readonly string[];
}

/** The registered apps. */
export class AppStore {
  readonly #byId;
  readonly #all;
  readonly #add;
  readonly #known = new Map<string, App>();
  readonly #dialect: DialectName;

  constructor(db: Database, dialect: DialectName) {
    this.#dialect = dialect;
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
    const app = toApp(row, this.#dialect);
    this.#known.set(clientId, app);
    return app;
  }

  /** Clears the cache after the tables were replaced. */
  forget(): void {
    this.#known.clear();
  }

  all(): readonly App[] {
    return this.#all.all().map((row) => toApp(row, this.#dialect));
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

function toApp(row: StoredApp, dialect: DialectName): App {
  const permissions = permissionsIn(dialect, JSON.parse(row.permissions) as CurrentPermission[]);
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

/**
 * Returns the permissions of an app in a dialect. A stored state can be from a sandbox of the other dialect: an app
 * with all permissions of dialect `spec` has all permissions of the dialect in use.
 */
function permissionsIn(
  dialect: DialectName,
  stored: readonly CurrentPermission[],
): readonly CurrentPermission[] {
  const names = new Set(stored);
  const hasAll = Object.keys(permissionIncludes).every((name) => names.has(name as CurrentPermission));
  return hasAll ? everyPermission(dialect) : stored;
}

/** Returns all permissions that an app can have in a dialect. */
export function everyPermission(dialect: DialectName): readonly CurrentPermission[] {
  const table = dialect === 'spec' ? permissionIncludes : currentPermissionIncludes;
  return Object.keys(table) as CurrentPermission[];
}

/** Returns these permissions and all permissions that they include (PERMISSION-2). */
function withIncludes(permissions: readonly CurrentPermission[]): ReadonlySet<string> {
  const all = new Set<CurrentPermission>();
  const visit = (permission: CurrentPermission): void => {
    if (all.has(permission)) return;
    all.add(permission);
    for (const included of currentPermissionIncludes[permission]) visit(included);
  };
  for (const permission of permissions) visit(permission);
  return all;
}
