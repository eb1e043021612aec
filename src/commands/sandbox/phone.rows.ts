import { text } from '../../runtime/output-schema.ts';
import { rows } from '../../runtime/rows.ts';

/** The call of a phone after an action. */
export const phoneRows = rows(
  {},
  {
    sessionId: { schema: text, title: 'SESSION ID' },
    callStatus: { schema: text, title: 'CALL STATUS' },
    legStatus: { schema: text, title: 'LEG STATUS' },
    telephonyStatus: { schema: text, title: 'TELEPHONY STATUS' },
  },
);
