import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

/** What a span is about: a name that few spans differ in, and attributes that identify the work. Never a secret. */
export interface SpanFacts {
  readonly name: string;
  readonly kind: 'internal' | 'client' | 'consumer';
  readonly attributes: Readonly<Record<string, string | number | boolean | undefined>>;
}

/** Adds an attribute that is known only after the work, such as the status of a reply. */
export type AddAttribute = (name: string, value: string | number) => void;

const kinds = {
  internal: SpanKind.INTERNAL,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
} as const;

/**
 * Runs work in a span, which is the parent of the spans of this work. A failed span has the class of its error, but not
 * the message, because messages can contain data of the service.
 */
export function runInSpan<T>(
  { name, kind, attributes }: SpanFacts,
  work: (add: AddAttribute) => Promise<T>,
): Promise<T> {
  const options = { kind: kinds[kind], attributes };
  return trace.getTracer('ucctl').startActiveSpan(name, options, async (span) => {
    try {
      return await work((attribute, value) => void span.setAttribute(attribute, value));
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
      throw error;
    } finally {
      span.end();
    }
  });
}
