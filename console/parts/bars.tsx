import { countText } from '../format.ts';

/** One bar of a chart. */
export interface Bar {
  readonly key: string;
  readonly label: string;
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

/** Largest width of a bar with its gap, in pixels. */
const barWidth = 51;

/** The first, middle and last label below upright bars. Each bar names its own label to screen readers. */
function Axis({ labels }: { readonly labels: readonly string[] }) {
  const last = labels.length - 1;
  const shown = [...new Set([0, ...(last > 3 ? [Math.ceil(last / 2)] : []), last])];
  return (
    <p class="axis" aria-hidden="true" style={{ maxWidth: `${labels.length * barWidth}px` }}>
      {shown.map((at) => (
        <span key={at}>{labels[at]}</span>
      ))}
    </p>
  );
}

/** A bar chart. Each bar is a button that opens its calls, so that the chart can be used with keyboard and reader. */
export function Bars({ title, bars, unit, strongUnit, selected, onSelect, isFlat = false }: BarsProps) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const size = isFlat ? 'width' : 'height';
  return (
    <section class="panel chart" aria-label={title}>
      <h2>{title}</h2>
      <ul class={isFlat ? 'bars flat' : 'bars'}>
        {bars.map((bar) => (
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
              <span class={isFlat ? 'bar-value' : 'hidden-text'}>{countText(bar.value)}</span>
              <span class="hidden-text">
                {unit}
                {strongUnit !== undefined && `, ${countText(bar.strong)} ${strongUnit}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {!isFlat && <Axis labels={bars.map(({ label }) => label)} />}
      {strongUnit !== undefined && (
        <p class="legend">
          <span class="key-strong" /> {strongUnit} <span class="key-rest" /> other {unit}
        </p>
      )}
    </section>
  );
}
