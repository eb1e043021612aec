import { directions, messageTypes, type Permission } from '../../contract/enums.ts';

/** What an event filter may name: the resource, and who may watch it (EVENT-5 to EVENT-10, EVENT-16). */
export interface FilterKind {
  /** Whose data: an extension's, a queue's, or the whole account's. */
  readonly owner: 'extension' | 'queue' | 'account';
  /** Path below the owner's. */
  readonly resource: string;
  readonly topic: string;
  readonly permission: Permission;
  /** Someone else's: `mailbox` for administrators, `presence` while it is shown, `directory` for everyone. */
  readonly access: 'mailbox' | 'presence' | 'directory';
  /** Code of the rejection for somebody else's data (ERROR-37). */
  readonly foreign: string;
  /** The data is sensitive (where a person is, whom they talk to) and forces encryption (EVENT-28). */
  readonly sensitive: boolean;
  readonly query: Readonly<Record<string, readonly string[]>>;
}

const flag = ['true', 'false'];
const detailed = { detailedTelephonyState: flag, sipData: flag };
const mailbox = {
  owner: 'extension',
  permission: 'ReadMessages',
  access: 'mailbox',
  sensitive: false,
} as const;
const presence = {
  owner: 'extension',
  permission: 'ReadPresence',
  access: 'presence',
  sensitive: true,
} as const;
const directory = { permission: 'ReadAccounts', access: 'directory', foreign: '', sensitive: false } as const;

export const filterKinds: readonly FilterKind[] = [
  {
    ...mailbox,
    resource: '/message-store',
    topic: 'messages',
    foreign: 'SUB-403',
    query: { type: [...messageTypes, 'Voicemail'], direction: directions },
  },
  {
    ...mailbox,
    resource: '/message-store/instant',
    topic: 'instant',
    foreign: 'SUB-404',
    query: { type: ['SMS'] },
  },
  { ...mailbox, resource: '/voicemail', topic: 'voicemail', foreign: 'SUB-405', query: {} },
  { ...mailbox, resource: '/fax', topic: 'fax', foreign: 'SUB-406', query: { direction: directions } },
  { ...presence, resource: '/presence', topic: 'presence', foreign: 'SUB-402', query: detailed },
  { ...presence, resource: '/presence/line', topic: 'line', foreign: 'SUB-407', query: {} },
  {
    ...presence,
    resource: '/presence/line/presence',
    topic: 'linePresence',
    foreign: 'SUB-407',
    query: detailed,
  },
  { ...presence, resource: '/presence/dnd', topic: 'dnd', foreign: 'SUB-408', query: {} },
  {
    ...presence,
    owner: 'queue',
    resource: '/presence',
    topic: 'queuePresence',
    access: 'directory',
    foreign: '',
    query: {},
  },
  // Hidden presences of others are left out of its events one by one.
  {
    ...presence,
    owner: 'account',
    resource: '/presence',
    topic: 'accountPresence',
    access: 'directory',
    foreign: '',
    query: detailed,
  },
  { ...directory, owner: 'account', resource: '/extension', topic: 'extensions', query: {} },
  { ...directory, owner: 'extension', resource: '', topic: 'extension', query: {} },
];
