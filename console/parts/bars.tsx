import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { countText } from '../format.ts';
import { ControlList } from './control-list.tsx';

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

/** Smallest and largest width of an upright bar with its gap, in pixels. WCAG 2.2 requires the smallest width. */
const barWidths = { least: 24, most: 96 } as const;
/** Upright bars that have no room are drawn flat, but more bars than this scroll sideways. */
const mostFlat = 31;
/** Number of upright bars for each label of the axis of a chart that scrolls. */
const barsPerLabel = 15;

/** The first and last label below upright bars, and some between them. Each bar names its own label to screen readers. */
function Axis({ labels }: { readonly labels: readonly string[] }) {
  const last = labels.length - 1;
  const steps = last > 3 ? Math.max(2, Math.ceil(last / barsPerLabel)) : 1;
  const shown = new Set(Array.from({ length: steps + 1 }, (_, step) => Math.round((step * last) / steps)));
  return (
    <p class="axis" aria-hidden="true">
      {[...shown].map((at) => (
        <span key={at}>{labels[at]}</span>
      ))}
    </p>
  );
}

/** Whether upright bars have room next to each other. Bars that scroll sideways are scrolled to the last one. */
function useRoom(count: number) {
  const plot = useRef<HTMLDivElement>(null);
  const [hasRoom, setRoom] = useState(true);
  useLayoutEffect(() => {
    const element = plot.current;
    if (!element) return undefined;
    const measure = (): void => setRoom(count * barWidths.least <= element.clientWidth);
    measure();
    element.scrollLeft = element.scrollWidth;
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [count]);
  return { plot, hasRoom };
}

/** A bar chart. Each bar is a button that opens its calls, so that the chart can be used with keyboard and reader. */
export function Bars({
  title,
  bars,
  strongUnit,
  unit,
  selected,
  onSelect,
  isFlat: isAlwaysFlat = false,
}: BarsProps) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const { plot, hasRoom } = useRoom(bars.length);
  const isFlat = isAlwaysFlat || (!hasRoom && bars.length <= mostFlat);
  const upright = {
    minWidth: `${bars.length * barWidths.least}px`,
    maxWidth: `${bars.length * barWidths.most}px`,
  };
  return (
    <section class={`panel chart ${isAlwaysFlat ? '' : 'wide'}`} aria-label={title}>
      <h2>{title}</h2>
      <div class="plot" ref={plot}>
        <div {...(!isFlat && { style: upright })}>
          <ControlList class={isFlat ? 'bars flat' : 'bars'}>
            {bars.map((bar) => (
              <li key={bar.key}>
                <BarButton
                  bar={bar}
                  most={most}
                  isFlat={isFlat}
                  unit={unit}
                  strongUnit={strongUnit}
                  isSelected={bar.key === selected}
                  onSelect={onSelect}
                />
              </li>
            ))}
          </ControlList>
          {!isFlat && <Axis labels={bars.map(({ label }) => label)} />}
        </div>
      </div>
      {strongUnit !== undefined && (
        <p class="legend">
          <span class="key-strong" /> {strongUnit} <span class="key-rest" /> other {unit}
        </p>
      )}
    </section>
  );
}

interface BarButtonProps extends Pick<BarsProps, 'unit' | 'strongUnit' | 'onSelect'> {
  readonly bar: Bar;
  /** The largest value of the chart. */
  readonly most: number;
  readonly isFlat: boolean;
  readonly isSelected: boolean;
}

function BarButton({ bar, most, isFlat, isSelected, unit, strongUnit, onSelect }: BarButtonProps) {
  const size = isFlat ? 'width' : 'height';
  return (
    <button
      type="button"
      aria-pressed={isSelected}
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
  );
}
