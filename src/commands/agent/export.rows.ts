import { anyOf, array, nullable, object, optional, record, text } from '../../runtime/output-schema.ts';
import { rows } from '../../runtime/rows.ts';

const setting = { schema: optional(text), priority: 3 };
/** A setting that is null if the person does not have it. */
const removable = { schema: optional(nullable(text)), priority: 3 };

/** One person with all settings, in the columns of a list for `agent apply`. */
export const personRows = rows(
  { empty: 'No people.' },
  {
    agent: { schema: text, title: 'AGENT', priority: 9 },
    extensionNumber: { ...setting, title: 'NUMBER', priority: 8 },
    firstName: { ...setting, title: 'FIRST NAME', priority: 8 },
    lastName: { ...removable, title: 'LAST NAME', priority: 8 },
    email: { ...setting, title: 'EMAIL', priority: 6 },
    status: { ...setting, title: 'STATUS', kind: 'status', priority: 7 },
    company: { ...removable, title: 'COMPANY' },
    jobTitle: { ...removable, title: 'JOB TITLE' },
    department: { ...removable, title: 'DEPARTMENT' },
    businessPhone: { ...removable, title: 'BUSINESS PHONE' },
    mobilePhone: { ...removable, title: 'MOBILE PHONE' },
    site: { ...setting, title: 'SITE', priority: 5 },
  },
);

/** The people as a document, or as rows. */
export const exportOutput = record(() => anyOf(object({ agents: array(personRows) }), array(personRows)));
