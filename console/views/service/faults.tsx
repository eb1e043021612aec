import { useState } from 'preact/hooks';
import { api, type Fault } from '../../api.ts';
import { words } from '../../format.ts';
import { Badge, Field } from '../../parts/basics.tsx';
import { perform } from '../../parts/notice.tsx';
import { useSubmit } from '../../parts/once.ts';
import { useQuery } from '../../query.ts';

/** Failures that the sandbox simulates. */
export function FaultPanel() {
  const { data } = useQuery('faults', ['service', 'requests', 'events'], api.faults);
  const faults = data?.records ?? [];
  return (
    <section class="panel" aria-labelledby="faults-title">
      <h2 id="faults-title">Faults {faults.length > 0 && <Badge kind="warn">{faults.length} on</Badge>}</h2>
      {faults.length === 0 && <p class="quiet">No faults. The sandbox answers every request normally.</p>}
      <ul class="lines" aria-label="Active faults">
        {faults.map((fault) => (
          <FaultRow key={fault.id} fault={fault} />
        ))}
      </ul>
      <NewFault />
    </section>
  );
}

/** Whether a kind of fault applies to requests, and not to webhooks or WebSockets, whose faults have no operation. */
function hitsRequests(kind: string): boolean {
  return !/^(webhook|socket)-/.test(kind);
}

function FaultRow({ fault }: { readonly fault: Fault }) {
  const name = `${words(fault.kind)}${fault.status === undefined ? '' : ` ${fault.status}`}`;
  return (
    <li>
      <strong>{name}</strong>
      <span class="quiet grow">
        {hitsRequests(fault.kind) && `${fault.operation ?? 'all operations'} · `}
        {fault.hits}
        {fault.times === 0 ? '' : ` of ${fault.times}`} {hitsRequests(fault.kind) ? 'requests' : 'events'}
      </span>
      <button
        type="button"
        aria-label={`Switch off: ${name}`}
        onClick={() => void perform(() => api.removeFault(fault.id))}
      >
        Off
      </button>
    </li>
  );
}

function NewFault() {
  const choices = useQuery('choices', [], api.choices);
  const [kind, setKind] = useState('status');
  const [operation, setOperation] = useState('');
  const [status, setStatus] = useState('503');
  const [times, setTimes] = useState('1');
  const add = (): Promise<unknown> =>
    perform(() =>
      api.addFault({
        kind,
        ...(operation !== '' && hitsRequests(kind) && { operation }),
        ...(kind === 'status' && { status: Number(status) }),
        times: Number(times),
      }),
    );
  const submit = useSubmit(add);
  return (
    <form class="fault-form" onSubmit={submit}>
      <Field label="Kind">
        {(id) => (
          <select id={id} value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
            {(choices.data?.faults ?? ['status']).map((one) => (
              <option key={one} value={one}>
                {words(one)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {hitsRequests(kind) && (
        <Field label="Operation">
          {(id) => (
            <select id={id} value={operation} onChange={(event) => setOperation(event.currentTarget.value)}>
              <option value="">All operations</option>
              {choices.data?.operations.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          )}
        </Field>
      )}
      {kind === 'status' && (
        <Field label="HTTP status">
          {(id) => (
            <input
              id={id}
              type="number"
              min={400}
              max={599}
              required
              value={status}
              onInput={(event) => setStatus(event.currentTarget.value)}
            />
          )}
        </Field>
      )}
      <Field label="Number of failures (0: no limit)">
        {(id) => (
          <input
            id={id}
            type="number"
            min={0}
            required
            value={times}
            onInput={(event) => setTimes(event.currentTarget.value)}
          />
        )}
      </Field>
      <button type="submit" class="primary">
        Switch on
      </button>
    </form>
  );
}
