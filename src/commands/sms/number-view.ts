import type { PhoneNumber } from '../../contract/phone-number.ts';
import type { View } from '../../runtime/output.ts';

export const numberView: View<PhoneNumber> = {
  columns: [
    { key: 'phoneNumber', title: 'NUMBER', kind: 'phone', value: (row) => row.phoneNumber, priority: 5 },
    { key: 'usageType', title: 'USE', kind: 'text', value: (row) => row.usageType, priority: 4 },
    { key: 'label', title: 'LABEL', kind: 'text', value: (row) => row.label, priority: 2 },
    { key: 'status', title: 'STATUS', kind: 'status', value: (row) => row.status, priority: 3 },
    { key: 'country', title: 'COUNTRY', kind: 'text', value: (row) => row.country.name, priority: 1 },
  ],
  empty: 'None of your numbers can send texts.',
};
