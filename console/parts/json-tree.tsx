/** JSON that can be folded. All values are texts, never markup. */
export function JsonTree({ value }: { readonly value: unknown }) {
  return (
    <div class="json" tabIndex={0} role="region" aria-label="JSON">
      <Value name={undefined} value={value} depth={0} />
    </div>
  );
}

interface ValueProps {
  readonly name: string | undefined;
  readonly value: unknown;
  readonly depth: number;
}

/** Number of levels that are open at first. */
const openLevels = 4;

function Value({ name, value, depth }: ValueProps) {
  const label = name === undefined ? null : <span class="key">{name}</span>;
  if (typeof value !== 'object' || value === null) {
    return (
      <div class="leaf">
        {label}
        <span class={`value ${typeof value}`}>{JSON.stringify(value) ?? 'undefined'}</span>
      </div>
    );
  }
  const entries = Object.entries(value);
  const noun = Array.isArray(value) ? 'item' : 'member';
  const size = `${entries.length} ${entries.length === 1 ? noun : `${noun}s`}`;
  return (
    <details open={depth < openLevels}>
      <summary>
        {label}
        <span class="size">{size}</span>
      </summary>
      {entries.map(([key, inner]) => (
        <Value key={key} name={key} value={inner} depth={depth + 1} />
      ))}
    </details>
  );
}
