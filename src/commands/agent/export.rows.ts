import { anyOf, array, object, optional, record, text } from '../../runtime/output-schema.ts';
import { rows } from '../../runtime/rows.ts';

const setting = { schema: optional(text), priority: 3 };

/** One person with all settings, in the columns of a list for `agent apply`. */
export const personRows = rows(
  { empty: 'No people.' },
  {
    agent: { schema: text, title: 'AGENT', priority: 9 },
    extensionNumber: { ...setting, title: 'NUMBER', priority: 8 },
    firstName: { ...setting, title: 'FIRST NAME', priority: 8 },
    lastName: { ...setting, title: 'LAST NAME', priority: 8 },
    email: { ...setting, title: 'EMAIL', priority: 6 },
    status: { ...setting, title: 'STATUS', kind: 'status', priority: 7 },
    company: { ...setting, title: 'COMPANY' },
    jobTitle: { ...setting, title: 'JOB TITLE' },
    department: { ...setting, title: 'DEPARTMENT' },
    businessPhone: { ...setting, title: 'BUSINESS PHONE' },
    mobilePhone: { ...setting, title: 'MOBILE PHONE' },
    site: { ...setting, title: 'SITE', priority: 5 },
  },
);

/** The people as a document, or as rows. */
export const exportOutput = record(() => anyOf(object({ agents: array(personRows) }), array(personRows)));
