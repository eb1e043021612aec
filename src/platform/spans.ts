import type { AddAttribute, SpanFacts } from './open-telemetry.ts';

export type { SpanFacts } from './open-telemetry.ts';

/** Where every copy of the API of OpenTelemetry stores the SDK that the user has registered. */
const registration = Symbol.for('opentelemetry.js.api.1');

/** Whether the user has loaded an OpenTelemetry SDK before ucctl (docs/adr/0079-spans-of-the-users-sdk.md). */
export function isTracing(): boolean {
  const registered = (globalThis as { readonly [registration]?: { readonly trace?: object } })[registration];
  return registered?.trace !== undefined;
}

/** Runs work in a span of the user's SDK. Without an SDK, this loads nothing and only runs the work. */
export async function inSpan<T>(facts: SpanFacts, work: (add: AddAttribute) => Promise<T>): Promise<T> {
  if (!isTracing()) return work(() => undefined);
  const { runInSpan } = await import('./open-telemetry.ts');
  return runInSpan(facts, work);
}
