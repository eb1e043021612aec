import { defineCommand } from '../../runtime/define.ts';
import type { LoginOptions } from './login-options.ts';

export const loginCommand = defineCommand<LoginOptions>({
  path: ['login'],
  summary: 'Sign in and keep the session',
  description:
    "By default the service's own page opens in the browser and the answer comes back to an address of this machine. Access and refresh " +
    'tokens are kept in the keychain of the operating system, never in the config file; the address of the service, the application key and the ' +
    'chosen store are kept in the profile. The application secret comes from UCCTL_CLIENT_SECRET, --secret-stdin or a question; the password from ' +
    'UCCTL_PASSWORD, --password-stdin or a question. Public apps, and Private apps of Browser-Based or Server/Web platform type, may not sign in by ' +
    'password; apps without a user interface may not use the browser; only trusted partners sign in with client credentials.',
  options: {
    flow: {
      type: 'string',
      choices: ['code', 'password', 'client-credentials', 'jwt'],
      default: 'code',
      summary: 'By the browser, by password, as the application itself, or by a signed assertion',
    },
    username: {
      type: 'string',
      value: 'NAME',
      summary: 'Password flow: number in E.164, e-mail address, or NUMBER*EXTENSION',
    },
    extension: {
      type: 'string',
      value: 'NUMBER',
      summary: 'Password flow: extension below a company number; without it, the main administrator',
    },
    clientId: { type: 'string', value: 'KEY', summary: 'Application key' },
    publicClient: {
      type: 'boolean',
      summary: 'The application is public: it has no secret',
      conflicts: ['secretStdin'],
    },
    secretStdin: {
      type: 'boolean',
      summary: 'Read the application secret from standard input, its first line',
    },
    passwordStdin: {
      type: 'boolean',
      summary:
        'Read the password from standard input, the line after the application secret if that is read too',
    },
    session: {
      type: 'string',
      choices: ['signup', 'account'],
      summary: 'Client credentials: numbers and dictionaries only, or one account',
    },
    brandId: { type: 'string', value: 'ID', summary: 'Client credentials: constant given to the partner' },
    accountId: { type: 'string', value: 'ID', summary: 'Client credentials: the account to work for' },
    partnerAccountId: {
      type: 'string',
      value: 'ID',
      summary: "Client credentials: the account by the partner's own id",
      conflicts: ['accountId'],
    },
    assertionFile: { type: 'string', value: 'FILE', summary: 'JWT flow: file with the signed assertion' },
    assertionStdin: {
      type: 'boolean',
      summary: 'JWT flow: read the assertion from standard input',
      conflicts: ['assertionFile'],
    },
    accessTokenTtl: {
      type: 'duration',
      value: 'TIME',
      minSeconds: 1,
      summary: 'Life of an access token to ask for; the service keeps it between 10m and 1h',
    },
    refreshTokenTtl: {
      type: 'duration',
      value: 'TIME',
      minSeconds: 0,
      summary: 'Life of the refresh token to ask for, at most what the service allows, usually 7d; 0: none',
    },
    store: {
      type: 'string',
      choices: ['keychain', 'file', 'memory'],
      summary: 'Where to keep the session; a file is plain text, mode 0600',
    },
    noBrowser: {
      type: 'boolean',
      summary: 'Open nothing; paste the address that a browser elsewhere ended at',
    },
    noPkce: { type: 'boolean', summary: 'Leave PKCE out, for a service that refuses it' },
    redirectUri: {
      type: 'list',
      value: 'URL',
      summary: 'Registered redirect address; several are tried in order until a port is free',
    },
    browserTimeout: {
      type: 'duration',
      default: 300,
      minSeconds: 1,
      maxSeconds: 3600,
      summary: 'Longest wait for the browser',
    },
  },
  examples: [
    {
      comment: 'In the browser; the address and the key are remembered',
      command: 'ucctl login --base-url https://platform.example.com --client-id KEY',
    },
    {
      comment: 'Without a browser, as extension 101 of a company number',
      command: 'ucctl login --flow password --username +16505550100 --extension 101',
    },
    {
      comment: 'As the application itself, for one account of a partner',
      command:
        'ucctl login --flow client-credentials --session account --brand-id 1210 --account-id 400131426008',
    },
    {
      comment: 'By an assertion that a pipeline made',
      command: 'ucctl login --flow jwt --assertion-file token.jwt --store file',
    },
    {
      comment: 'On a server without a keychain',
      command: 'ucctl login --no-browser --store file',
    },
  ],
  mutates: true,
  rateGroup: 'Auth',
  jsonFields: [
    'profile',
    'origin',
    'flow',
    'username',
    'extension',
    'session',
    'account',
    'ownerId',
    'store',
    'expiresAt',
    'refreshExpiresAt',
  ],
  exitCodes: {
    4: 'refused, denied or nobody signed in in time',
    12: 'no usable keychain, or every redirect port is taken',
  },
  load: async () => (await import('./login.ts')).login,
});
