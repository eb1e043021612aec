import { useState } from 'preact/hooks';
import { api } from '../../api.ts';
import { momentText } from '../../format.ts';
import { Field } from '../../parts/basics.tsx';
import { perform } from '../../parts/notice.tsx';
import { useQuery } from '../../query.ts';

/** Saved states, and the initial content. */
export function StatePanel() {
  const [name, setName] = useState('');
  const { data, reload } = useQuery('snapshots', ['service'], api.snapshots);
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    const saved = await perform(
      () => api.saveSnapshot(name),
      ({ name }) => `Saved the state as ${name}.`,
    );
    if (saved) setName('');
    reload();
  };
  return (
    <section class="panel" aria-labelledby="state-title">
      <h2 id="state-title">Content</h2>
      {data?.records.length === 0 && (
        <p class="quiet">No snapshots. A snapshot stores the state and the time.</p>
      )}
      <ul class="lines" aria-label="Snapshots">
        {data?.records.map((snapshot) => (
          <li key={snapshot.name}>
            <strong>{snapshot.name}</strong>
            <span class="quiet grow">{momentText(snapshot.savedAt)}</span>
            <button
              type="button"
              aria-label={`Load snapshot ${snapshot.name}`}
              onClick={() =>
                void perform(() => api.loadSnapshot(snapshot.name), `Loaded the state ${snapshot.name}.`)
              }
            >
              Load
            </button>
          </li>
        ))}
      </ul>
      <form class="inline-form" onSubmit={(event) => void save(event)}>
        <Field label="Name of a new snapshot">
          {(id) => (
            <input
              id={id}
              value={name}
              required
              pattern="\w[\w.\-]{0,63}"
              title="Letters, digits, dots, dashes and underscores"
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <button type="submit">Save</button>
      </form>
      <Reset />
    </section>
  );
}

/** Replaces all content, after a second click. */
function Reset() {
  const choices = useQuery('fixtures', [], api.choices);
  const [fixture, setFixture] = useState('small-office');
  const [isAsking, setIsAsking] = useState(false);
  const reset = (): void => {
    setIsAsking(false);
    void perform(() => api.reset(fixture), `Loaded the content ${fixture}.`);
  };
  return (
    <div class="inline-form">
      <Field label="Initial content">
        {(id) => (
          <select id={id} value={fixture} onChange={(event) => setFixture(event.currentTarget.value)}>
            {(choices.data?.fixtures ?? [fixture]).map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        )}
      </Field>
      {isAsking ? (
        <>
          <button type="button" class="danger" onClick={reset}>
            Delete everything
          </button>
          <button type="button" onClick={() => setIsAsking(false)}>
            Cancel
          </button>
        </>
      ) : (
        <button type="button" onClick={() => setIsAsking(true)}>
          Reset…
        </button>
      )}
    </div>
  );
}
