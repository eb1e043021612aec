import type { Registration } from '../oauth/app-store.ts';
import type { DialectName } from '../../contract/dialects.ts';
import type { World } from '../world/world.ts';
import { ownProcess } from '../../platform/own-process.ts';

/** A user who can sign in. */
export interface ReadyUser {
  readonly username: string;
  readonly extension: string;
  readonly extensionId: string;
  readonly password: string;
  readonly role: string;
  readonly name: string;
}

/** A registered app. */
export interface ReadyApp {
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly name: string;
  readonly registration: Registration;
  readonly refreshAllowed: boolean;
  readonly production: boolean;
}
/** The content of the ready file: the data that a client needs to connect to a running sandbox. */
export interface ReadyFile {
  /** Local address of the service. */
  readonly url: string;
  /** Base address of links in replies, if it differs from `url`. */
  readonly publicUrl?: string;
  /** Base address of content. Without a media port it is equal to `publicUrl`, or to `url` without a public URL. */
  readonly mediaUrl: string;
  /** File of the certificate authority, when `url` is https. */
  readonly ca?: string;
  readonly dialect: DialectName;
  readonly pid: number;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUris: readonly string[];
  readonly users: readonly ReadyUser[];
  readonly apps: readonly ReadyApp[];
  readonly accountId: string;
  readonly mainNumber: string;
  readonly brandId: string;
  readonly partnerAccountId: string;
  readonly queues: readonly { readonly id: string; readonly extension: string; readonly name: string }[];
  readonly groups: readonly { readonly id: string; readonly type: string; readonly name: string }[];
}

/** Describes a running sandbox. */
export function describe(
  world: World,
  extra: { readonly ca?: string | undefined; readonly dialect: DialectName },
): ReadyFile {
  const account = world.accounts.first();
  const extensions = world.extensions.named(account.id);
  const apps = world.apps.all();
  const main = apps.find((app) => app.registration === 'Private' && app.clientSecret !== null);
  if (!main) throw new Error('the fixture has no private app');
  return {
    url: world.baseUrl,
    ...(world.publicUrl !== undefined && { publicUrl: world.publicUrl }),
    mediaUrl: world.mediaBaseUrl,
    ...(extra.ca !== undefined && { ca: extra.ca }),
    dialect: extra.dialect,
    pid: ownProcess.pid,
    clientId: main.clientId,
    clientSecret: main.clientSecret ?? '',
    redirectUris: main.redirectUris,
    users: extensions
      .filter((extension) => extension.password !== null)
      .map((extension) => ({
        username: extension.email ?? account.mainNumber,
        extension: extension.extensionNumber ?? '',
        extensionId: String(extension.id),
        password: extension.password ?? '',
        role: extension.role,
        name: extension.name,
      })),
    apps: apps.map(({ clientId, clientSecret, name, registration, refreshAllowed, production }) => ({
      clientId,
      clientSecret,
      name,
      registration,
      refreshAllowed,
      production,
    })),
    accountId: String(account.id),
    mainNumber: account.mainNumber,
    brandId: account.brandId,
    partnerAccountId: account.partnerAccountId,
    queues: extensions
      .filter((extension) => extension.type === 'Department')
      .map(({ id, extensionNumber, name }) => ({ id: String(id), extension: extensionNumber ?? '', name })),
    groups: world.chat.groups(account.id).map(({ id, type, name }) => ({ id, type, name })),
  };
}
