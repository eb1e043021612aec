export { openRules, ruleKey, rulesRunKind, type Rules } from './kind.ts';
export { readRulesFile } from './read-file.ts';
export { titleOfRule } from './title-of-rule.ts';
export { givenValuesOf, ruleDefaults, ruleItem } from './values.ts';
