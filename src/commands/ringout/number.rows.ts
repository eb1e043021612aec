import { rows } from '../../runtime/rows.ts';

/** Numbers that the called person can see as the caller ID. */
export const callerIdRows = rows(
  { of: 'PhoneNumber', empty: 'None of your numbers can be used as a caller ID.' },
  {
    phoneNumber: { title: 'NUMBER', kind: 'phone', priority: 5 },
    usageType: { title: 'USE', priority: 4 },
    label: { title: 'LABEL', priority: 3 },
    status: { title: 'STATUS', kind: 'status', priority: 2 },
  },
);

export const forwardingNumberRows = rows(
  {
    of: 'ForwardingNumber',
    empty: 'No forwarding numbers that you can call from. Add a forwarding number in the account portal.',
  },
  {
    phoneNumber: { title: 'NUMBER', kind: 'phone', priority: 5 },
    label: { title: 'LABEL', priority: 4 },
    type: { title: 'TYPE', priority: 2 },
  },
);
