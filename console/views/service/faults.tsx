import { api, type Fault } from '../../api.ts';
import { countText, words } from '../../format.ts';
import { Badge, Field, Problem } from '../../parts/basics.tsx';
import { ControlList } from '../../parts/control-list.tsx';
import { useDraft } from '../../parts/draft.ts';
import { perform } from '../../parts/notice.tsx';
import { useOnce, useSubmit } from '../../parts/once.ts';
import { Waiting } from '../../parts/waiting.tsx';
import { useQuery } from '../../query.ts';

/** Failures that the sandbox simulates. */
export function FaultPanel() {
  const query = useQuery('faults', ['service', 'requests', 'events'], api.faults);
  const { data, problem } = query;
  const faults = data?.records ?? [];
  const active = faults.filter((fault) => !isUsedUp(fault)).length;
  return (
    <section class="panel" aria-labelledby="faults-title">
      <h2 id="faults-title">Faults {active > 0 && <Badge kind="warn">{active} on</Badge>}</h2>
      <Problem text={problem} />
      <Waiting query={query} />
      {data?.records.length === 0 && (
        <p class="quiet">No faults. The sandbox answers every request normally.</p>
      )}
      <ControlList class="lines" aria-label="Faults">
        {faults.map((fault) => (
          <FaultRow key={fault.id} fault={fault} />
        ))}
      </ControlList>
      <NewFault />
    </section>
  );
}

/** Whether a kind of fault applies to requests, and not to webhooks or WebSockets, whose faults have no operation. */
function hitsRequests(kind: string): boolean {
  return !/^(webhook|socket)-/.test(kind);
}

/** Whether a fault was applied as often as it can be. */
function isUsedUp({ times, hits }: Fault): boolean {
  return times > 0 && hits >= times;
}

/** The options of a fault, and how often it was applied. */
function factsOf(fault: Fault): string {
  const { kind, operation, extension, milliseconds, retryAfter, after, probability, times, hits } = fault;
  const what = hitsRequests(kind) ? 'requests' : 'events';
  const facts = [
    hitsRequests(kind) && (operation ?? 'all operations'),
    extension !== undefined && `extension ${extension}`,
    milliseconds !== undefined && `${countText(milliseconds)} ms`,
    retryAfter !== undefined && `Retry-After ${retryAfter} s`,
    after > 0 && `after ${countText(after)} ${what}`,
    probability < 1 && `${Math.round(probability * 100)} % of ${what}`,
    `applied ${countText(hits)}${times === 0 ? '' : ` of ${countText(times)}`} ${(times || hits) === 1 ? 'time' : 'times'}`,
  ];
  return facts.filter((fact) => fact !== false).join(' · ');
}

function FaultRow({ fault }: { readonly fault: Fault }) {
  const name = `${words(fault.kind)}${fault.status === undefined ? '' : ` ${fault.status}`}`;
  const once = useOnce();
  const remove = (): Promise<unknown> => perform(() => api.removeFault(fault.id));
  const [action, label] = isUsedUp(fault) ? ['Remove', 'Remove'] : ['Off', 'Switch off'];
  return (
    <li>
      <strong>{name}</strong>
      <span class="quiet grow">{factsOf(fault)}</span>
      {isUsedUp(fault) && <Badge>Used up</Badge>}
      <button type="button" aria-label={`${label}: ${name}`} onClick={(event) => void once(remove, event)}>
        {action}
      </button>
    </li>
  );
}

function NewFault() {
  const choices = useQuery('choices', ['service'], api.choices);
  const kind = useDraft('kind of fault', 'status');
  const operation = useDraft('operation of fault', '');
  const status = useDraft('status of fault', '503');
  const times = useDraft('number of failures', '1');
  const add = (): Promise<unknown> =>
    perform(() =>
      api.addFault({
        kind: kind.value,
        ...(operation.value !== '' && hitsRequests(kind.value) && { operation: operation.value }),
        ...(kind.value === 'status' && { status: Number(status.value) }),
        times: Number(times.value),
      }),
    );
  const submit = useSubmit(add);
  return (
    <form class="fault-form" onSubmit={submit}>
      <Field label="Kind">
        {(id) => (
          <select id={id} value={kind.value} onChange={(event) => kind.set(event.currentTarget.value)}>
            {(choices.data?.faults ?? ['status']).map((one) => (
              <option key={one} value={one}>
                {words(one)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {hitsRequests(kind.value) && (
        <Field label="Operation">
          {(id) => (
            <select
              id={id}
              value={operation.value}
              onChange={(event) => operation.set(event.currentTarget.value)}
            >
              <option value="">All operations</option>
              {choices.data?.operations.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          )}
        </Field>
      )}
      {kind.value === 'status' && (
        <Field label="HTTP status">
          {(id) => (
            <input
              id={id}
              type="number"
              min={400}
              max={599}
              required
              value={status.value}
              onInput={(event) => status.set(event.currentTarget.value)}
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
            value={times.value}
            onInput={(event) => times.set(event.currentTarget.value)}
          />
        )}
      </Field>
      <button type="submit" class="primary">
        Switch on
      </button>
    </form>
  );
}
