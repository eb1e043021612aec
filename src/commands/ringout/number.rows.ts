import { rows } from '../../runtime/rows.ts';

export const forwardingNumberRows = rows(
  {
    of: 'ForwardingNumber',
    empty: 'No forwarding numbers that can place calls. Add one in the account portal.',
  },
  {
    phoneNumber: { title: 'NUMBER', kind: 'phone', priority: 5 },
    label: { title: 'LABEL', priority: 4 },
    type: { title: 'TYPE', priority: 2 },
  },
);
