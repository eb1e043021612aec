import { resourcePlanOutput } from '../../features/resource-plan/plan-document.rows.ts';
import { defineCommand } from '../../runtime/define.ts';
import { resourceFileOptions } from '../../runtime/resource-options.ts';
import type { AgentPlanOptions } from './plan.ts';

/** The formats of a list of people, for the details of a command. */
export const peopleListText =
  'A list is YAML (key agents: with agent and settings), or a table with an agent column and a column for each setting. ' +
  'The settings are extensionNumber, firstName, lastName, email, status (Enabled, Disabled, Frozen or NotActivated), company, jobTitle, department, businessPhone, mobilePhone and site. ' +
  'The agent is an ID, extension number, e-mail address or name. People and settings that are not in the list stay unchanged, as do settings without a value. ' +
  'In YAML, null removes a last name, company, job title, department or telephone number; in a table, --remove-empty makes empty cells remove these values.';

/** The option of tables whose empty cells remove values. */
export const removeEmptyOption = {
  type: 'boolean',
  summary:
    'In a table, empty cells remove last names, companies, job titles, departments and telephone numbers',
} as const;

export const agentPlan = defineCommand<AgentPlanOptions>({
  path: ['agent', 'plan'],
  summary: 'Show the changes that a list of people would make',
  description:
    'Compares a list with the current names, numbers, e-mail addresses, status, contact details and sites of people. Makes no changes. ' +
    'With --plan-out, ucctl saves the plan for ucctl agent apply.',
  details: peopleListText,
  options: {
    ...resourceFileOptions,
    removeEmpty: removeEmptyOption,
    planOut: {
      type: 'string',
      value: 'FILE',
      summary: 'File to save the plan in, for ucctl agent apply',
      writes: 'plan.json',
    },
  },
  argumentFlags: ['file'],
  examples: [
    { comment: 'Compare the people with a list', command: 'ucctl agent plan -f people.csv' },
    {
      comment: 'Save a plan for later',
      command: 'ucctl agent plan -f people.csv --plan-out people-plan.json',
    },
  ],
  permissions: ['ReadAccounts'],
  dialect: 'current',
  rateGroup: 'Medium',
  output: resourcePlanOutput,
  exitCodes: {
    2: 'the list has invalid rows, or unknown or ambiguous names',
    10: 'the plan has changes (--detailed-exitcode)',
  },
  load: () => import('./plan.ts').then((m) => m.planPeople),
});
