import { tokenStores } from '../../runtime/token-stores.ts';
import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import type { LoginOptions } from './login-options.ts';
import { loginRows } from './login.rows.ts';

export const loginCommand = defineCommand<LoginOptions>({
  path: ['login'],
  summary: 'Sign in and store the session',
  description:
    'Opens the sign-in page of the service in the browser, unless --flow selects another flow. ' +
    'ucctl stores the tokens in the keychain of the operating system, never in the config file. ' +
    'The profile stores the base URL, the client ID, the token store and the dialect of the service.',
  details:
    'With a browser, use the code flow, which is the default and uses PKCE. On servers and in scripts, use --flow jwt with an ' +
    'assertion that you create in the developer console of the service. Current services accept only these two flows.\n\n' +
    'The client secret comes from UCCTL_CLIENT_SECRET, --secret-stdin or a prompt. The assertion comes from --assertion-stdin, ' +
    '--assertion-file, UCCTL_ASSERTION or a prompt. The password comes from UCCTL_PASSWORD, --password-stdin or a prompt. ' +
    'ucctl accepts no secret on the command line.\n\n' +
    'The registration of an app determines which flows the app may use. On older services, Public apps and Private apps of the platform types Browser-Based and Server/Web cannot sign in with a password. Apps without a user interface cannot use the ' +
    'browser. Only trusted partners may sign in with client credentials.\n\n' +
    'The dialect of --dialect or UCCTL_DIALECT is stored in the profile. If no setting specifies the dialect, ucctl determines it after the sign-in: it requests the list of chat webhooks from the address of each dialect. If the replies are not conclusive, the dialect remains spec.',
  options: {
    flow: {
      type: 'string',
      value: 'FLOW',
      choices: ['code', 'jwt', 'password', 'client-credentials'],
      default: 'code',
      summary:
        'Sign-in flow: browser (code), signed assertion (jwt), or the older flows password and client-credentials',
    },
    assertionStdin: {
      type: 'boolean',
      summary: 'JWT flow: read the assertion from standard input, e.g. from a secret store',
      conflicts: ['assertionFile'],
    },
    assertionFile: { type: 'string', value: 'FILE', summary: 'JWT flow: file with the signed assertion' },
    username: {
      type: 'string',
      value: 'NAME',
      summary: 'Password flow: E.164 number, e-mail address, or NUMBER*EXTENSION',
    },
    extension: {
      type: 'string',
      value: 'NUMBER',
      summary: 'Password flow: extension of a company number; default: the main administrator',
    },
    clientId: { type: 'string', value: 'ID', summary: 'ID of the app that is registered with the service' },
    publicClient: {
      type: 'boolean',
      summary: 'Sign in with a public app (without a secret)',
      conflicts: ['secretStdin'],
    },
    secretStdin: {
      type: 'boolean',
      summary: 'Read the client secret from the first line of standard input',
    },
    passwordStdin: {
      type: 'boolean',
      summary: 'Read the password from standard input, after the client secret if both are read',
    },
    session: {
      type: 'string',
      value: 'KIND',
      choices: ['signup', 'account'],
      summary: 'Client credentials: access to numbers and dictionaries (signup), or to one account (account)',
    },
    brandId: { type: 'string', value: 'ID', summary: "Client credentials: the partner's brand ID" },
    accountId: { type: 'string', value: 'ID', summary: 'Client credentials: account ID' },
    partnerAccountId: {
      type: 'string',
      value: 'ID',
      summary: 'Client credentials: ID that the partner gave to the account',
      conflicts: ['accountId'],
    },
    accessTokenTtl: {
      type: 'duration',
      value: 'TIME',
      minSeconds: 1,
      summary: 'Requested lifetime of access tokens; the service allows 10m to 1h',
    },
    refreshTokenTtl: {
      type: 'duration',
      value: 'TIME',
      minSeconds: 0,
      summary: 'Requested lifetime of the refresh token, usually at most 7d; 0 for none',
    },
    store: {
      type: 'string',
      value: 'STORE',
      offered: tokenStores,
      summary: 'Token store: keychain, file (plain text, mode 0600) or memory; or a PostgreSQL store',
    },
    noBrowser: {
      type: 'boolean',
      summary: 'Do not open a browser; paste the final address from a browser on another machine',
    },
    noPkce: { type: 'boolean', summary: 'Sign in without PKCE, for services that do not support PKCE' },
    redirectUri: {
      type: 'list',
      value: 'URL',
      summary: 'Registered redirect URI; ucctl uses the first URI with a free port',
    },
    browserTimeout: {
      type: 'duration',
      default: 300,
      minSeconds: 1,
      maxSeconds: 3600,
      summary: 'Maximum wait for the browser sign-in',
    },
  },
  examples: [
    {
      comment: 'Sign in with the browser and store base URL and key in the profile',
      command: 'ucctl login --base-url https://platform.example.com --client-id YOUR_APP',
    },
    {
      comment: 'Sign in with an assertion from a secret store',
      command: 'pass show ucctl/assertion | ucctl login --flow jwt --assertion-stdin',
    },
    {
      comment: 'Sign in with a password to an older service, as extension 101 of the company number',
      command: 'ucctl login --flow password --username +16505550100 --extension 101',
    },
    {
      comment: 'Sign in with an assertion from a file',
      command: 'ucctl login --flow jwt --assertion-file token.jwt --store file',
    },
    {
      comment: 'Sign in as the app, for one partner account',
      command:
        'ucctl login --flow client-credentials --session account --brand-id 1210 --account-id 400131426008',
    },
    {
      comment: 'Sign in on a server without a keychain',
      command: 'ucctl login --no-browser --store file',
    },
  ],
  mutates: true,
  rateGroup: 'Auth',
  output: record(loginRows),
  exitCodes: {
    4: 'the sign-in was rejected, was denied, or timed out',
    9: 'the profile is set up for another service, and you did not confirm the change',
    12: 'no usable keychain, or all redirect ports are in use',
  },
  load: async () => (await import('./login.ts')).login,
});
