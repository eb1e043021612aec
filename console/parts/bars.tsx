import { countText } from '../format.ts';

/** One bar of a chart. */
export interface Bar {
  readonly key: string;
  readonly label: string;
  /** Short label below the axis, if it differs. */
  readonly tick?: string;
  readonly value: number;
  /** The part of the value that is drawn in the strong color. */
  readonly strong: number;
}

interface BarsProps {
  readonly title: string;
  readonly bars: readonly Bar[];
  /** Meaning of a value, such as `calls`. */
  readonly unit: string;
  /** Meaning of the strong part, such as `answered`; undefined if bars have only one part. */
  readonly strongUnit: string | undefined;
  readonly selected: string | undefined;
  readonly onSelect: (bar: Bar) => void;
  /** Whether the bars grow to the right, with their labels on the left. */
  readonly isFlat?: boolean;
}

/** Maximum number of labels below the axis. */
const mostTicks = 6;

/** A bar chart. Each bar is a button that opens its calls, so that the chart can be used with keyboard and reader. */
export function Bars({ title, bars, unit, strongUnit, selected, onSelect, isFlat = false }: BarsProps) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const size = isFlat ? 'width' : 'height';
  const step = Math.max(1, Math.ceil(bars.length / mostTicks));
  return (
    <section class="panel chart" aria-label={title}>
      <h2>{title}</h2>
      <ul class={isFlat ? 'bars flat' : 'bars'}>
        {bars.map((bar, index) => (
          <li key={bar.key}>
            <button
              type="button"
              aria-pressed={bar.key === selected}
              title={`${bar.label}: ${countText(bar.value)} ${unit}`}
              onClick={() => onSelect(bar)}
            >
              <span class="track">
                <span class="bar" style={{ [size]: `${(bar.value / most) * 100}%` }}>
                  <span
                    class="strong"
                    style={{ [size]: `${bar.value === 0 ? 0 : (bar.strong / bar.value) * 100}%` }}
                  />
                </span>
              </span>
              <span class="bar-label">{bar.label}</span>
              {!isFlat && (
                <span class="tick" aria-hidden="true">
                  {index % step === 0 ? (bar.tick ?? bar.label) : ''}
                </span>
              )}
              <span class={isFlat ? 'bar-value' : 'hidden-text'}>{countText(bar.value)}</span>
              <span class="hidden-text">
                {unit}
                {strongUnit !== undefined && `, ${countText(bar.strong)} ${strongUnit}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {strongUnit !== undefined && (
        <p class="legend">
          <span class="key-strong" /> {strongUnit} <span class="key-rest" /> other {unit}
        </p>
      )}
    </section>
  );
}
