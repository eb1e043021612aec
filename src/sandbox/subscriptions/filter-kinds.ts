import { directions, messageTypes, type Permission } from '../../contract/enums.ts';

/** A kind of event filter, with its resource and the users who may subscribe to it (EVENT-5 to EVENT-10, EVENT-16). */
export interface FilterKind {
  /** Owner of the data: an extension, a queue, or the whole account. */
  readonly owner: 'extension' | 'queue' | 'account';
  /** Path below the path of the owner. */
  readonly resource: string;
  readonly topic: string;
  readonly permission: Permission;
  /**
   * The users who can read the data of other users: administrators (`mailbox`), everyone while the presence is visible
   * (`presence`), or all users (`directory`).
   */
  readonly access: 'mailbox' | 'presence' | 'directory';
  /** Error code for data of other users (ERROR-37). */
  readonly foreign: string;
  /** Whether the data is sensitive, such as the presence of a person, so that events must be encrypted (EVENT-28). */
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
  // The events of this filter omit hidden presences of other extensions.
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
