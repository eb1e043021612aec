import type { ReadyFile } from '../../sandbox/index.ts';

/** The variables that make ucctl, and programs beside it, talk to this sandbox. */
export function environmentOf(ready: ReadyFile): Readonly<Record<string, string>> {
  const administrator = ready.users.find(({ role }) => role === 'administrator') ?? ready.users[0];
  return {
    UCCTL_BASE_URL: ready.url,
    UCCTL_CLIENT_ID: ready.clientId,
    UCCTL_CLIENT_SECRET: ready.clientSecret,
    // The hosted channel is served; the transport that took its place today is not.
    ...(ready.dialect === 'current' && {
      UCCTL_DIALECT: ready.dialect,
      UCCTL_CHANNEL_TRANSPORT: 'ChannelService',
    }),
    // The token goes to a media host only if a setting names it.
    ...(isElsewhere(ready) && { UCCTL_MEDIA_HOSTS: new URL(ready.mediaUrl).host }),
    UCCTL_REDIRECT_URIS: ready.redirectUris.join(','),
    ...(administrator && { UCCTL_SANDBOX_USERNAME: administrator.username }),
  };
}

/** Whether content is served from a port of its own (`--media-port`). A ready file of an older version does not say. */
function isElsewhere({ url, mediaUrl }: Pick<ReadyFile, 'url'> & { readonly mediaUrl?: string }): boolean {
  return mediaUrl !== undefined && mediaUrl !== url;
}

/** The same, with the administrator's password, also where `login` looks for one: only for the process that is started with it. */
export function environmentWithPassword(ready: ReadyFile): Readonly<Record<string, string>> {
  const administrator = ready.users.find(({ role }) => role === 'administrator') ?? ready.users[0];
  return {
    ...environmentOf(ready),
    ...(administrator && {
      UCCTL_SANDBOX_PASSWORD: administrator.password,
      UCCTL_PASSWORD: administrator.password,
    }),
  };
}
