import { defineCommand } from '../../runtime/define.ts';
import type { ProfileAddOptions, ProfileNameOptions, ProfileShowOptions } from './profile.ts';

const name = {
  type: 'string',
  positional: true,
  value: 'NAME',
  required: true,
  summary: 'Name of the profile',
} as const;
const fields = ['name', 'current', 'baseUrl', 'clientId', 'store'] as const;

export const profileList = defineCommand<object>({
  path: ['profile', 'list'],
  summary: 'List the profiles',
  options: {},
  examples: [{ comment: 'All profiles, the one in use marked', command: 'ucctl profile list' }],
  jsonFields: fields,
  load: async () => (await import('./profile.ts')).listProfiles,
});

export const profileUse = defineCommand<ProfileNameOptions>({
  path: ['profile', 'use'],
  summary: 'Use a profile from now on',
  options: { name },
  examples: [{ comment: 'Work with prod', command: 'ucctl profile use prod' }],
  jsonFields: fields,
  load: async () => (await import('./profile.ts')).useProfile,
});

export const profileShow = defineCommand<ProfileShowOptions>({
  path: ['profile', 'show'],
  summary: 'Show what a profile holds',
  options: { name: { ...name, required: false, summary: 'Name of the profile; the one in use without it' } },
  examples: [{ comment: 'The profile in use', command: 'ucctl profile show' }],
  jsonFields: fields,
  load: async () => (await import('./profile.ts')).showProfile,
});

export const profileAdd = defineCommand<ProfileAddOptions>({
  path: ['profile', 'add'],
  summary: 'Add a profile',
  options: {
    name,
    clientId: { type: 'string', value: 'KEY', summary: 'Application key' },
    store: { type: 'string', choices: ['keychain', 'file', 'memory'], summary: 'Where sessions are kept' },
    redirectUri: {
      type: 'list',
      value: 'URL',
      summary: 'Registered redirect address, in order of preference',
    },
  },
  examples: [
    {
      comment: 'A second account beside the first',
      command: 'ucctl profile add prod --base-url https://platform.example.com --client-id KEY',
    },
  ],
  jsonFields: fields,
  load: async () => (await import('./profile.ts')).addProfile,
});

export const profileRm = defineCommand<ProfileNameOptions>({
  path: ['profile', 'rm'],
  summary: 'Remove a profile',
  description: 'Removes settings only. A profile that is signed in is kept until it is signed out.',
  options: { name },
  examples: [{ comment: 'Sign out, then remove', command: 'ucctl logout -p old && ucctl profile rm old' }],
  jsonFields: ['name', 'removed'],
  load: async () => (await import('./profile.ts')).removeProfile,
});
