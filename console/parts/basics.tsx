import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { countText, initials } from '../format.ts';
import { useLatest } from './latest.ts';

/** A short state in color, always with its text. */
export function Badge({
  kind = 'plain',
  children,
}: {
  readonly kind?: Tone;
  readonly children: ComponentChildren;
}) {
  return <span class={`badge ${kind}`}>{children}</span>;
}
export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'accent';

/** Colors of the presence of an extension; `plain` for all others. */
export const presenceTones: Readonly<Record<string, Tone>> = { Available: 'good', Busy: 'warn' };

/** A picture of a name: its initials, in one of six hues. Decoration only. */
export function Avatar({ name }: { readonly name: string }) {
  const hue =
    Array.from(name, (letter) => letter.codePointAt(0) ?? 0).reduce((sum, code) => sum + code, 0) % 6;
  return (
    <span class={`avatar hue-${hue}`} aria-hidden="true">
      {initials(name)}
    </span>
  );
}

/** The text of an empty list: which items the list shows, and how to create them. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function Problem({ text }: { readonly text: string | undefined }) {
  return text === undefined ? null : (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}

/** The heading of a view, with the controls that filter or change the whole view. */
export function ViewHeader({
  title,
  about,
  children,
}: {
  readonly title: string;
  readonly about: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  return (
    <header class="view-header">
      <div>
        <h1 tabIndex={-1}>{title}</h1>
        <p>{about}</p>
      </div>
      {children !== undefined && <div class="tools">{children}</div>}
    </header>
  );
}

/** A search field, which `/` focuses. */
export function Search({
  value,
  onChange,
  label,
}: {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly label: string;
}) {
  return (
    <input
      type="search"
      class="search"
      data-search
      aria-label={label}
      placeholder={label}
      value={value}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  );
}

export function Field({
  label,
  children,
}: {
  readonly label: string;
  readonly children: (id: string) => ComponentChildren;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id)}
    </div>
  );
}

/** A choice between few values, as radio buttons in a row. */
export function Segments<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  /** Undefined until it is known: a choice before that would be replaced by it. */
  readonly value: T | undefined;
  readonly options: readonly (readonly [value: T, text: string])[];
  /** A promise of undefined means that the choice failed. */
  readonly onChange: (value: T) => void | Promise<unknown>;
}) {
  const name = useId();
  // Shown immediately; the value follows when the sandbox has changed it.
  const [chosen, setChosen] = useState(value);
  useEffect(() => setChosen(value), [value]);
  const latest = useLatest(value);
  const choose = async (one: T): Promise<void> => {
    setChosen(one);
    const result = onChange(one);
    if (result instanceof Promise && (await result) === undefined) setChosen(latest.current);
  };
  return (
    <fieldset class="segments" disabled={value === undefined}>
      <legend>{label}</legend>
      <div>
        {options.map(([one, text]) => (
          <label key={one}>
            <input
              type="radio"
              name={name}
              value={one}
              checked={one === chosen}
              onChange={() => void choose(one)}
            />
            <span>{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A command for the terminal. */
export function Command({ children }: { readonly children: string }) {
  return (
    <pre class="command" tabIndex={0} aria-label="Command">
      <code>{children}</code>
    </pre>
  );
}

/** Largest number of rows that one request returns. */
export const mostRows = 500;

/** The end of a list, with a button that shows more rows. */
export function ShowMore({
  shown,
  total,
  onMore,
}: {
  readonly shown: number;
  readonly total: number;
  readonly onMore: () => void;
}) {
  if (shown >= total) return null;
  return (
    <p class="more">
      {shown < mostRows && (
        <button type="button" onClick={onMore}>
          Show more
        </button>
      )}
      <span>
        {countText(shown)} of {countText(total)}
        {shown >= mostRows && '. Search to find the others.'}
      </span>
    </p>
  );
}

interface NewestProps {
  readonly shown: number;
  /** Number of all items, if it is known. */
  readonly total?: number;
  /** The items, such as `events`. */
  readonly what: string;
  /** Where the other items are. */
  readonly children?: ComponentChildren;
}

/** States that a list contains only the newest items. */
export function Newest({ shown, total, what, children }: NewestProps) {
  return (
    <p class="count quiet small">
      Newest {countText(shown)} {total !== undefined && `of ${countText(total)} `}
      {what}. {children}
    </p>
  );
}

/** Names with their values. Facts without a value are not shown. */
export function FactList({
  facts,
}: {
  readonly facts: readonly (readonly [name: string, value: string | undefined])[];
}) {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== undefined && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
