import { rows } from '../../runtime/rows.ts';

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
