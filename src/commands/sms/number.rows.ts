import { rows } from '../../runtime/rows.ts';

export const numberRows = rows(
  { of: 'PhoneNumber', empty: 'None of your numbers can send texts.' },
  {
    phoneNumber: { title: 'NUMBER', kind: 'phone', priority: 5 },
    usageType: { title: 'USE', priority: 4 },
    label: { title: 'LABEL', priority: 2 },
    status: { title: 'STATUS', kind: 'status', priority: 3 },
    country: { title: 'COUNTRY', priority: 1, cell: (row) => row.country?.name },
  },
);
