import type { Answer } from '../content.ts';
import { dictionaryEntry, versions } from '../shapes/directory.ts';
import { socketToken, tokens } from '../shapes/events.ts';

const dictionary: Answer = ({ world }) => ({
  kind: 'list',
  rows: [0, 1].map(() => world.row(dictionaryEntry, { name: 'A name' })),
});

export const signIn = {
  issueToken: ({ world }) => ({
    kind: 'record',
    row: world.row(
      tokens,
      {
        access_token: `access-${world.dice.integer(1, 1e9)}`,
        refresh_token: `refresh-${world.dice.integer(1, 1e9)}`,
        token_type: world.dice.pick(['bearer', 'Bearer']),
        expires_in: 3600,
        refresh_token_expires_in: 604_800,
        scope: 'ReadAccounts EditExtensions NewPermission',
        owner_id: world.me.value['id'] ?? 0,
      },
      ['expires_in', 'refresh_token'],
    ),
  }),
  revokeToken: () => ({ kind: 'nothing', status: 200 }),
  socketToken: ({ world }) => ({
    kind: 'record',
    row: world.row(socketToken, {
      ws_access_token: `socket-${world.dice.integer(1, 1e9)}`,
      uri: `wss://events.example/${world.dice.integer(1, 1e9)}`,
    }),
  }),
  readVersions: ({ world }) => ({ kind: 'record', row: world.row(versions, { serverVersion: '99.1' }) }),
  listCountries: dictionary,
  listStates: dictionary,
  listLocations: dictionary,
  listTimezones: dictionary,
  readCountry: ({ world }) => ({ kind: 'record', row: world.row(dictionaryEntry, { name: 'A name' }) }),
} satisfies Readonly<Record<string, Answer>>;
