/**
 * The limits of all tests, in milliseconds. They only stop a test that hangs. They are generous, because a loaded
 * machine takes many times as long as an idle one. Tests define no limits of their own
 * (test/architecture/waits.test.ts).
 */

/** The longest wait for a condition. */
export const conditionLimit = 60_000;

/** The longest time of a test or a hook. It is longer than that of a condition, so that a condition fails with its own message. */
export const testLimit = 5 * conditionLimit;
