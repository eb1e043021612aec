import { PageQuery } from '../common.ts';
import { ForwardingNumberList, PhoneNumberList } from '../phone-number.ts';
import type { Operation } from './operation.ts';
import { extension } from './paths.ts';

/** Numbers of an extension. */
export const phoneNumbers = {
  listPhoneNumbers: {
    method: 'GET',
    path: `${extension}/phone-number`,
    section: 'Messaging',
    summary: 'Lists the phone numbers of an extension',
    authorization: 'bearer',
    permission: 'ReadAccounts',
    group: 'Light',
    query: PageQuery,
    status: 200,
    reply: PhoneNumberList,
  },
  listForwardingNumbers: {
    method: 'GET',
    path: `${extension}/forwarding-number`,
    section: 'Two-legged outbound call',
    summary: 'Lists the forwarding numbers of an extension',
    authorization: 'bearer',
    permission: 'ReadAccounts',
    group: 'Light',
    query: PageQuery,
    status: 200,
    reply: ForwardingNumberList,
  },
} as const satisfies Record<string, Operation>;
