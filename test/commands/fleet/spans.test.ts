import { AsyncLocalStorage } from 'node:async_hooks';
import {
  context,
  ROOT_CONTEXT,
  trace,
  type Context,
  type ContextManager,
  type Span,
  type SpanOptions,
  type Tracer,
} from '@opentelemetry/api';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inSpan, isTracing } from '../../../src/platform/spans.ts';
import { postgresMissing } from '../../support/postgres.ts';
import { fleetOffice } from './fleet-office.ts';

interface RecordedSpan {
  readonly name: string;
  readonly parent: string | undefined;
  readonly attributes: Record<string, unknown>;
  isEnded: boolean;
  isFailed: boolean;
}

/** Registers an SDK that records spans, as a program does that is loaded before ucctl. It is removed after the test. */
function recordingSdk(): readonly RecordedSpan[] {
  const spans: RecordedSpan[] = [];
  const names = new Map<Span, string>();
  const start = (name: string, { attributes = {} }: SpanOptions, parent: Context): Span => {
    const over = trace.getSpan(parent);
    const recorded: RecordedSpan = {
      name,
      parent: over && names.get(over),
      attributes: { ...attributes },
      isEnded: false,
      isFailed: false,
    };
    spans.push(recorded);
    const span = {
      setAttribute(key: string, value: unknown) {
        recorded.attributes[key] = value;
        return span;
      },
      setStatus() {
        recorded.isFailed = true;
        return span;
      },
      end() {
        recorded.isEnded = true;
      },
      spanContext: () => ({ traceId: '1'.repeat(32), spanId: '1'.repeat(16), traceFlags: 1 }),
    } as unknown as Span;
    names.set(span, name);
    return span;
  };
  const tracer = {
    startSpan: (name: string, options: SpanOptions = {}, parent = context.active()) =>
      start(name, options, parent),
    startActiveSpan: (name: string, options: SpanOptions, work: (span: Span) => unknown) => {
      const span = start(name, options, context.active());
      return context.with(trace.setSpan(context.active(), span), () => work(span));
    },
  } as unknown as Tracer;
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (value, work, self, ...values) => storage.run(value, () => work.apply(self as never, values)),
    bind: (_value, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  context.setGlobalContextManager(manager);
  trace.setGlobalTracerProvider({ getTracer: () => tracer });
  onTestFinished(() => {
    trace.disable();
    context.disable();
  });
  return spans;
}

it('is not traced without an SDK', async () => {
  expect(isTracing()).toBe(false);
  const facts = { name: 'none', kind: 'internal', attributes: {} } as const;
  await expect(inSpan(facts, () => Promise.resolve(1))).resolves.toBe(1);
});

describe.skipIf(postgresMissing())('spans', () => {
  it('show each task with its requests, without queries and messages of errors', async () => {
    const spans = recordingSdk();
    const office = await fleetOffice();
    await office.run('fleet enroll --extension 101,102');
    await office.db.run(`update fleet_task set subject = '4711', label = 'gone' where label = '102'`);
    const before = spans.length;
    expect((await office.run('fleet worker --once --concurrency 1')).exit).toBe(0);
    const own = spans.slice(before);
    expect(own.every(({ isEnded }) => isEnded)).toBe(true);
    const tasks = own.filter(({ name }) => name === 'task messages');
    expect(tasks).toHaveLength(2);
    expect(tasks.filter(({ isFailed }) => isFailed)).toHaveLength(1);
    expect(tasks.find(({ isFailed }) => isFailed)?.attributes).toEqual({
      'ucctl.task': 'messages',
      'ucctl.extension.id': '4711',
      'ucctl.attempt': 1,
      'ucctl.fence': 1,
      'error.type': expect.any(String) as string,
    });
    const requests = own.filter(({ attributes }) => String(attributes['url.path']).endsWith('/message-sync'));
    expect(requests).toHaveLength(2);
    for (const { name, parent, attributes } of requests)
      expect([name, parent, attributes['http.request.method'], String(attributes['url.path'])]).toEqual([
        'GET',
        'task messages',
        'GET',
        expect.not.stringContaining('?'),
      ]);
    expect(requests.map(({ attributes }) => attributes['http.response.status_code'])).toContain(200);
  });
});
