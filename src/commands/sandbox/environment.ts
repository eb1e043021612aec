import { dialects, type Dialect } from '../../contract/dialects.ts';
import { isSafeAddress } from '../../platform/base-url.ts';
import type { RowOf } from '../../runtime/rows.ts';
import type { ReadyFile } from '../../sandbox/index.ts';
import type { environmentRows } from './env.rows.ts';

type Environment = RowOf<typeof environmentRows>;

/** Returns the variables that connect ucctl and other clients to this sandbox. */
export function environmentOf(ready: ReadyFile): Environment {
  const administrator = ready.users.find(({ role }) => role === 'administrator') ?? ready.users[0];
  return {
    UCCTL_BASE_URL: baseUrlOf(ready),
    ...(ready.ca !== undefined && { UCCTL_CA_FILE: ready.ca }),
    UCCTL_CLIENT_ID: ready.clientId,
    UCCTL_CLIENT_SECRET: ready.clientSecret,
    ...(ready.dialect === 'current' && { UCCTL_DIALECT: ready.dialect }),
    // ucctl sends the token to a host other than the host of the base URL only if a setting names the host.
    ...(hasMediaPort(ready) && { UCCTL_MEDIA_HOSTS: new URL(ready.mediaUrl).host }),
    UCCTL_REDIRECT_URIS: ready.redirectUris.join(','),
    ...(administrator && acceptsPassword(ready) && { UCCTL_SANDBOX_USERNAME: administrator.username }),
  };
}

/**
 * Returns whether users can sign in with their password in this dialect. Ready files of older versions have no dialect.
 */
function acceptsPassword({ dialect = 'spec' }: Partial<Pick<ReadyFile, 'dialect'>>): boolean {
  const { grants }: Dialect = dialects[dialect];
  return grants.includes('password');
}

/** Returns the address that the links of the sandbox have, or the local address if ucctl rejects the public URL. */
function baseUrlOf({ url, publicUrl }: ReadyFile): string {
  return publicUrl !== undefined && isSafeAddress(publicUrl) ? publicUrl : url;
}

/**
 * Returns whether content is served from another port (`--media-port`). Ready files of older versions have no mediaUrl.
 */
function hasMediaPort({
  url,
  publicUrl,
  mediaUrl,
}: Pick<ReadyFile, 'url' | 'publicUrl'> & { readonly mediaUrl?: string }): boolean {
  return mediaUrl !== undefined && mediaUrl !== (publicUrl ?? url);
}

/** Like `environmentOf`, with the administrator's password. Only processes that ucctl starts get the password. */
export function environmentWithPassword(ready: ReadyFile): Environment {
  const administrator = ready.users.find(({ role }) => role === 'administrator') ?? ready.users[0];
  return {
    ...environmentOf(ready),
    ...(administrator && {
      UCCTL_SANDBOX_PASSWORD: administrator.password,
      UCCTL_PASSWORD: administrator.password,
    }),
  };
}
