export { actionOf } from './action.ts';
export { createGuard, policyError } from './guard.ts';
export { hourlyViolation, violationOf, policyOf, type Policy } from './policy.ts';
