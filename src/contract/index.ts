/** The contract of the service: one schema and one type of the same name for every resource, and the table of operations. */
export * from './common.ts';
export * from './department.ts';
export * from './enums.ts';
export * from './error.ts';
export * from './extension.ts';
export * from './limits.ts';
export * from './message.ts';
export * from './oauth.ts';
export * from './operations.ts';
export * from './phone-number.ts';
export * from './presence.ts';
export * from './subscription.ts';
