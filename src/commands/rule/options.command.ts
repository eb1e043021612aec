import { resourceFileOptions, resourceRunOptions } from '../../runtime/resource-options.ts';

const { map: _map, sheet: _sheet, protect: _protect, file, ...rest } = resourceFileOptions;
const { results: _results, ...runOptions } = resourceRunOptions;

/** Options of commands that read a file of rules. */
export const ruleFileOptions = {
  ...rest,
  file: { ...file, summary: 'Answering rules (YAML), or saved plan; - for standard input' },
} as const;
export const ruleRunOptions = runOptions;

/** The format of a file of rules, for the details of a command. */
export const ruleFileText =
  'The YAML file contains a list named rules, as ucctl rule export writes it. Each entry has extension, rule (the ID of an existing rule) and the members of the rule. ' +
  'Without rule, the name identifies the rule; ucctl creates a rule for a new name. ucctl replaces each member as a whole; members and rules that are not in the file stay unchanged.';
/** Describes how commands handle accounts with new call handling, for the details of a command. */
export const readOnlyText =
  'On an account with new call handling (feature NewCallHandlingAndForwarding), answering rules are read-only: the command exits with 9 and sends nothing.';

/** Option that selects rules. */
export const extensionsOption = {
  type: 'list',
  positional: true,
  value: 'EXT',
  summary: 'Show the rules of these extensions; by default, your own rules',
} as const;
