import { PresenceList, PresenceListQuery } from '../call-queue.ts';
import { Presence, PresenceQuery, PresenceUpdate } from '../presence.ts';
import type { Operation } from './operation.ts';
import { account, extension } from './paths.ts';

export const presence = {
  listPresences: {
    method: 'GET',
    path: `${account}/presence`,
    dialects: ['current'],
    section: 'Call queues and presence',
    summary: 'Lists the presence of each extension of the account',
    authorization: 'bearer',
    permission: 'ReadPresence',
    group: 'Heavy',
    query: PresenceListQuery,
    status: 200,
    reply: PresenceList,
  },
  readPresence: {
    method: 'GET',
    path: `${extension}/presence`,
    section: 'Call queues and presence',
    summary: 'Reads the presence of one or more extensions',
    authorization: 'bearer',
    permission: 'ReadPresence',
    group: 'Light',
    query: PresenceQuery,
    manyIds: 'extensionId',
    status: 200,
    reply: Presence,
  },
  updatePresence: {
    method: 'PUT',
    path: `${extension}/presence`,
    current: { bodyOptional: true },
    section: 'Call queues and presence',
    summary: 'Changes the presence of an extension',
    authorization: 'bearer',
    permission: 'EditPresence',
    group: 'Medium',
    body: PresenceUpdate,
    status: 200,
    reply: Presence,
  },
} as const satisfies Record<string, Operation>;
