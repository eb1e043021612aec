import { useState } from 'preact/hooks';
import type { PhoneCall, PhoneView } from '../../src/sandbox/console/types.ts';
import { api } from '../api.ts';
import { sandboxNow } from '../clock.ts';
import { durationText, words } from '../format.ts';
import {
  Avatar,
  Badge,
  Empty,
  Field,
  Problem,
  Search,
  Segments,
  ShowMore,
  mostRows,
  ViewHeader,
  presenceTones,
} from '../parts/basics.tsx';
import { useLatest } from '../parts/latest.ts';
import { perform } from '../parts/notice.tsx';
import { useOnce } from '../parts/once.ts';
import { Waiting } from '../parts/waiting.tsx';
import { useQuery } from '../query.ts';

const pageSize = 60;
/** A number outside the account, from which calls come. */
const defaultCaller = '+14155550142';

/** One card for each phone, with its state and buttons for the actions that are possible now. */
export function PhonesView() {
  const [search, setSearch] = useState('');
  const [limit, setLimit] = useState(pageSize);
  const [caller, setCaller] = useState(defaultCaller);
  const query = useQuery(search, ['phones'], () => api.phones({ search, limit }), limit);
  const { data, problem } = query;
  const settings = useQuery('settings', ['service'], api.settings);
  const progression = settings.data?.callProgression;
  return (
    <>
      <ViewHeader title="Phones" about="Every extension with its presence. Ringing phones come first.">
        <Search value={search} onChange={setSearch} label="Search name or number" />
      </ViewHeader>
      <div class="panel bar">
        <p class="hidden-text" role="status">
          {ringingText(data?.records ?? [])}
        </p>
        <Field label="Calls come from">
          {(id) => (
            <input
              id={id}
              value={caller}
              inputMode="tel"
              onInput={(event) => setCaller(event.currentTarget.value)}
            />
          )}
        </Field>
        <Segments
          label="Calls advance"
          value={progressions.find((one) => one === progression)}
          options={progressions.map((one) => [one, progressionNames[one]] as const)}
          onChange={(callProgression) =>
            perform(() => api.changeSettings({ callProgression }), progressionTexts[callProgression])
          }
        />
      </div>
      <Problem text={problem} />
      <Waiting query={query} />
      {data?.records.length === 0 && (
        <Empty title="No phones found">
          <p>No extension has a name or number with “{search}”.</p>
        </Empty>
      )}
      <ul class="cards" aria-label="Phones">
        {data?.records.map((phone) => (
          <li key={phone.extensionId}>
            <PhoneCard phone={phone} caller={caller} />
          </li>
        ))}
      </ul>
      {data && (
        <ShowMore
          shown={data.records.length}
          total={data.total}
          onMore={() => setLimit(Math.min(limit + pageSize, mostRows))}
        />
      )}
    </>
  );
}

/** Number of ringing phones that screen readers announce by name. */
const mostAnnounced = 3;

/** Announces ringing phones to screen readers; empty if no phone rings. */
function ringingText(phones: readonly PhoneView[]): string {
  const ringing = phones.filter((phone) => stateOf(phone) === 'ringing');
  if (ringing.length === 0) return '';
  if (ringing.length > mostAnnounced) return `${ringing.length} phones ring`;
  return `Ringing: ${ringing.map(({ name, number }) => `${name}, ${number}`).join('; ')}`;
}

const progressions = ['timed', 'manual', 'immediate'] as const;
const progressionNames = { timed: 'Timed', manual: 'Manual', immediate: 'Immediate' } as const;
const progressionTexts = {
  timed: 'Calls ring, connect and end automatically.',
  manual: 'Calls change only when you use the buttons of a phone.',
  immediate: 'Calls connect or fail immediately.',
} as const;

function PhoneCard({ phone, caller }: { readonly phone: PhoneView; readonly caller: string }) {
  const { number, name, calls, status } = phone;
  const once = useOnce();
  const call = (): Promise<unknown> =>
    perform(() => api.trigger('call', { to: number, from: caller.trim() }));
  return (
    <article class={`card phone ${stateOf(phone)}`} aria-labelledby={`phone-${number}`}>
      <div class="who">
        <Avatar name={name} />
        <div>
          <h2 id={`phone-${number}`}>{name}</h2>
          <p>
            <span class="ext">{number}</span>
            {phone.phoneNumber !== undefined && <span> {phone.phoneNumber}</span>}
          </p>
        </div>
        {status === 'Enabled' ? (
          <Badge kind={presenceTones[phone.presenceStatus] ?? 'plain'}>{phone.presenceStatus}</Badge>
        ) : (
          <Badge kind="bad">{words(status)}</Badge>
        )}
      </div>
      {calls.map((call) => (
        <CallLine key={call.sessionId} call={call} />
      ))}
      <div class="actions">
        {phone.actions.map((action) => (
          <PhoneButton key={action} phone={phone} action={action} />
        ))}
        {calls.length === 0 && (
          <button
            type="button"
            aria-label={`Call ${name}, ${number}`}
            onClick={(event) => void once(call, event)}
          >
            Call
          </button>
        )}
        {calls.length === 0 && phone.type === 'User' && status === 'Enabled' && (
          <PresenceChoice phone={phone} />
        )}
      </div>
    </article>
  );
}

/** Returns the state that the card of a phone shows in color. */
function stateOf({ calls }: PhoneView): string {
  if (calls.some(({ status }) => status === 'Ringing')) return 'ringing';
  return calls.length > 0 ? 'talking' : 'idle';
}

const actionTexts: Readonly<Record<string, string>> = {
  answer: 'Answer',
  busy: 'Busy',
  reject: 'Reject',
  hangup: 'Hang up',
  hold: 'Hold',
  park: 'Park',
  resume: 'Resume',
};
const actionKinds: Readonly<Record<string, string>> = {
  answer: 'primary',
  hangup: 'danger',
  reject: 'danger',
};

function PhoneButton({ phone, action }: { readonly phone: PhoneView; readonly action: string }) {
  const text = actionTexts[action] ?? words(action);
  const once = useOnce();
  return (
    <button
      type="button"
      class={actionKinds[action] ?? ''}
      aria-label={`${text}: ${phone.name}, ${phone.number}`}
      onClick={(event) => void once(() => perform(() => api.phone(phone.number, action)), event)}
    >
      {text}
    </button>
  );
}

const callTexts: Readonly<Record<string, string>> = {
  Ringing: 'Ringing',
  CallConnected: 'Connected',
  OnHold: 'On hold',
  ParkedCall: 'Parked',
};

function CallLine({ call }: { readonly call: PhoneCall }) {
  const now = sandboxNow.value;
  const seconds = now === undefined ? 0 : (now - new Date(call.since).getTime()) / 1000;
  return (
    <p class="call-line">
      <strong>{callTexts[call.status] ?? words(call.status)}</strong>
      <span class="elapsed">{durationText(seconds)}</span>
      <span class="peer">
        {call.direction === 'Inbound' ? 'from' : 'to'}{' '}
        <bdi>{call.peerName ?? call.peerNumber ?? 'unknown'}</bdi>
        {call.queue !== undefined && (
          <>
            , for <bdi>{call.queue}</bdi>
          </>
        )}
      </span>
    </p>
  );
}

const notDisturbed = 'Do not disturb';

/** The presence that the user chooses. */
function PresenceChoice({ phone }: { readonly phone: PhoneView }) {
  const current = phone.dndStatus === 'DoNotAcceptAnyCalls' ? notDisturbed : phone.userStatus;
  const latest = useLatest(current);
  const change = async (select: HTMLSelectElement): Promise<void> => {
    const input =
      select.value === notDisturbed
        ? { dndStatus: 'DoNotAcceptAnyCalls' }
        : { userStatus: select.value, dndStatus: 'TakeAllCalls' };
    const changed = await perform(() => api.trigger('presence', { extension: phone.number, ...input }));
    // After a failure, no new data corrects the choice.
    if (!changed) select.value = latest.current;
  };
  return (
    <select
      class="presence"
      aria-label={`Presence of ${phone.name}, ${phone.number}`}
      value={current}
      onChange={(event) => void change(event.currentTarget)}
    >
      {['Available', 'Busy', 'Offline', notDisturbed].map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  );
}
