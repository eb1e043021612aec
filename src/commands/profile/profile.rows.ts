import { array, flag, number, optional, text } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';

/** A profile of the config file, with the settings that it contains. */
export type ProfileRow = RowOf<typeof profileRows>;

export const profileRows = rows(
  { empty: nextStep`No profiles. To create one: ${ucctl('login --base-url URL')}` },
  {
    name: { schema: text, title: 'NAME', priority: 5 },
    current: { schema: flag, title: 'IN USE', priority: 4, cell: ({ current }) => (current ? '*' : '') },
    baseUrl: { schema: optional(text), title: 'SERVICE', priority: 3 },
    clientId: { schema: optional(text), title: 'APPLICATION', priority: 1 },
    store: { schema: optional(text), title: 'STORE', priority: 2 },
    redirectUris: { schema: optional(array(text)) },
    timeoutSeconds: { schema: optional(number) },
    language: { schema: optional(text) },
    output: { schema: optional(text) },
    tz: { schema: optional(text) },
    protect: { schema: optional(array(text)) },
    dialect: { schema: optional(text) },
    chatPath: { schema: optional(text) },
    channelTransport: { schema: optional(text) },
    ringoutPath: { schema: optional(text) },
    mediaHosts: { schema: optional(array(text)) },
    webhookLimitMilliseconds: { schema: optional(number) },
    defaultCountry: { schema: optional(text) },
    smsFrom: { schema: optional(text) },
    allowPrefixes: { schema: optional(array(text)) },
    forbidPrefixes: { schema: optional(array(text)) },
    quietHours: { schema: optional(text) },
    maxPerHour: { schema: optional(number) },
    readOnly: { schema: optional(flag) },
    mcpAllow: { schema: optional(array(text)) },
    proxy: { schema: optional(text) },
    caFile: { schema: optional(text) },
    mediaStore: { schema: optional(text) },
    retry: { schema: optional(number) },
    maxWaitSeconds: { schema: optional(number) },
  },
);

/** Columns of profiles, from the left. */
export const profileColumns = ['current', 'name', 'baseUrl', 'clientId', 'store'];

/** A profile that was removed. */
export const removedRows = rows(
  {},
  { name: { schema: text, title: 'Profile' }, removed: { schema: flag, title: 'Removed' } },
);
