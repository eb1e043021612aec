import { tokenStores } from '../../runtime/token-stores.ts';
import { defineCommand } from '../../runtime/define.ts';
import { dryRunOption } from '../../runtime/dry-run-option.ts';
import { list, record } from '../../runtime/output-schema.ts';
import { profileRows, removedRows } from './profile.rows.ts';
import type {
  ProfileAddOptions,
  ProfileNameOptions,
  ProfileRemoveOptions,
  ProfileShowOptions,
} from './profile.ts';

const name = {
  type: 'string',
  positional: true,
  value: 'NAME',
  required: true,
  summary: 'Profile name',
} as const;

export const profileList = defineCommand<object>({
  path: ['profile', 'list'],
  summary: 'List the profiles',
  options: {},
  examples: [
    { comment: 'List all profiles; a star marks the profile in use', command: 'ucctl profile list' },
  ],
  output: list(profileRows),
  load: async () => (await import('./profile.ts')).listProfiles,
});

export const profileUse = defineCommand<ProfileNameOptions>({
  path: ['profile', 'use'],
  summary: 'Set the default profile',
  options: { name },
  examples: [{ comment: 'Use profile prod', command: 'ucctl profile use prod' }],
  output: record(profileRows),
  load: async () => (await import('./profile.ts')).useProfile,
});

export const profileShow = defineCommand<ProfileShowOptions>({
  path: ['profile', 'show'],
  summary: 'Show the settings of a profile',
  options: { name: { ...name, required: false, summary: 'Profile name; default: the profile in use' } },
  examples: [{ comment: 'Show the profile in use', command: 'ucctl profile show' }],
  output: record(profileRows),
  load: async () => (await import('./profile.ts')).showProfile,
});

export const profileAdd = defineCommand<ProfileAddOptions>({
  path: ['profile', 'add'],
  summary: 'Add a profile',
  options: {
    name,
    clientId: { type: 'string', value: 'ID', summary: 'ID of the app that is registered with the service' },
    store: {
      type: 'string',
      value: 'STORE',
      offered: tokenStores,
      summary: 'Token store (keychain, file, memory) or PostgreSQL store',
    },
    redirectUri: {
      type: 'list',
      value: 'URL',
      summary: 'Registered redirect URIs, in order of preference',
    },
  },
  examples: [
    {
      comment: 'Add a second account',
      command: 'ucctl profile add prod --base-url https://platform.example.com --client-id YOUR_APP',
    },
  ],
  output: record(profileRows),
  load: async () => (await import('./profile.ts')).addProfile,
});

export const profileRemove = defineCommand<ProfileRemoveOptions>({
  path: ['profile', 'remove'],
  summary: 'Remove a profile',
  description:
    'Removes the profile, its settings, and its stored keys of subscriptions and addresses of chat webhooks. Sign out of the ' +
    'profile first. If it is the default profile, another profile becomes the default.',
  details:
    'With UCCTL_TOKEN, keys and addresses are stored even if the profile does not exist. They are deleted, too. In a PostgreSQL ' +
    'store, the keys and addresses are deleted for all machines.',
  options: { name, dryRun: dryRunOption },
  examples: [
    { comment: 'Sign out, then remove', command: 'ucctl logout -p old && ucctl profile remove old' },
  ],
  output: record(removedRows),
  load: async () => (await import('./profile.ts')).removeProfile,
});
