export { openRules, rulesRunKind, type Rules } from './kind.ts';
export { readRulesFile } from './read-file.ts';
export { ruleMemberNames, valuesOf } from './values.ts';
