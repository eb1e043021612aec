import type { OperationId } from '../../../src/contract/operations.ts';
import { apiOnly, flag, itself, paging, type OperationReach } from './reach.ts';

const ruleParameters = Object.fromEntries(
  [
    'name',
    'type',
    'enabled',
    'callers',
    'calledNumbers',
    'schedule',
    'callHandlingAction',
    'forwarding',
    'unconditionalForwarding',
    'queue',
    'transfer',
    'voicemail',
    'missedCall',
    'greetings',
    'screening',
  ].map((name) => [name, flag('rule apply --file')]),
);
const dictionary = 'used in sign-up forms only; no command needs this dictionary';

/** Dictionaries, business hours, answering rules and the audit trail. */
export const account = {
  listCountries: { commands: [], apiOnly: dictionary, parameters: paging },
  readCountry: { commands: [], apiOnly: dictionary },
  listStates: {
    commands: [],
    apiOnly: dictionary,
    parameters: { ...paging, countryId: apiOnly('see the reason for the operation') },
  },
  listLocations: {
    commands: [],
    apiOnly: dictionary,
    parameters: { ...paging, stateId: apiOnly('see the reason for the operation') },
  },
  listTimezones: { commands: [], apiOnly: dictionary, parameters: paging },
  readCompanyHours: { commands: ['hours list', 'hours export'] },
  updateCompanyHours: {
    commands: ['hours apply', 'history undo'],
    parameters: { schedule: flag('hours apply --file') },
  },
  readHours: { commands: ['hours list', 'hours export'] },
  updateHours: {
    commands: ['hours apply', 'history undo'],
    parameters: { schedule: flag('hours apply --file') },
  },
  listAnsweringRules: {
    commands: ['rule list', 'rule export'],
    parameters: {
      ...paging,
      view: itself('always Detailed, because commands show all settings of a rule'),
      type: apiOnly('use --jq to filter the list'),
      enabledOnly: apiOnly('as type'),
      internalIds: apiOnly('changes only the format of IDs'),
    },
  },
  createAnsweringRule: { commands: ['rule apply'], parameters: ruleParameters },
  readAnsweringRule: {
    commands: [],
    apiOnly: 'the list contains all members of a rule',
    parameters: {
      showInactiveNumbers: apiOnly('ucctl does not read single rules'),
      internalIds: apiOnly('changes only the format of IDs'),
    },
  },
  updateAnsweringRule: {
    commands: ['rule apply', 'history undo'],
    parameters: { ...ruleParameters, id: itself('the ID in the path') },
  },
  deleteAnsweringRule: { commands: [], apiOnly: 'ucctl never deletes a rule; undo disables a created rule' },
  searchAuditTrail: {
    commands: ['audit list'],
    parameters: {
      eventTimeFrom: flag('audit list --since'),
      eventTimeTo: flag('audit list --until'),
      initiatorIds: flag('audit list --by'),
      targetIds: flag('audit list --target'),
      actionIds: flag('audit list --action'),
      excludeActionIds: flag('audit list --exclude-action'),
      searchString: flag('audit list --search'),
      siteId: flag('audit list --site'),
      page: itself('ucctl reads all pages'),
      perPage: flag('audit list --per-page'),
    },
  },
} satisfies Partial<Record<OperationId, OperationReach>>;
