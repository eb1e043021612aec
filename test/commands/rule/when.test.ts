import { expect, test } from 'vitest';
import { ruleRows, type RuleRow } from '../../../src/commands/rule/rule.rows.ts';

/** Returns the cell WHEN of a rule. */
function when(rule: object): unknown {
  const column = ruleRows.list.columns.find(({ key }) => key === 'when');
  return column?.shown?.(rule as RuleRow) ?? column?.value(rule as RuleRow);
}

test.each([
  [{ type: 'Custom' }, 'always'],
  [{ type: 'AfterHours' }, 'after hours'],
  [{ type: 'Custom', schedule: { weeklyRanges: { monday: [] } } }, '{"weeklyRanges":{"monday":[]}}'],
  [
    { type: 'Custom', schedule: { ranges: [{ from: '2026-12-24T00:00:00Z' }] } },
    '{"ranges":[{"from":"2026-12-24T00:00:00Z"}]}',
  ],
])('%j applies: %s', (rule, text) => {
  expect(when(rule)).toBe(text);
});
