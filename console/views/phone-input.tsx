import { useId, useRef, useState } from 'preact/hooks';
import type { PhoneView } from '../../src/sandbox/console/types.ts';
import { api } from '../api.ts';
import { useQuery } from '../query.ts';

/** Number of phones that match the text so far. */
const mostSuggestions = 50;

/**
 * An input for the number of a phone. It suggests phones whose name or number contains the text, because a list of all
 * phones would be too long.
 */
export function PhoneInput({
  id,
  label,
  value,
  onInput,
  isOffered = () => true,
  further = [],
}: {
  readonly id?: string;
  /** The accessible name, if no label names the input. */
  readonly label?: string;
  readonly value: string;
  readonly onInput: (text: string) => void;
  readonly isOffered?: (phone: PhoneView) => boolean;
  /** Suggestions in addition to the phones. */
  readonly further?: readonly (readonly [value: string, text: string])[];
}) {
  const listId = useId();
  const [isUsed, setUsed] = useState(false);
  const { data } = useQuery(`${isUsed} ${value}`, ['phones'], async () =>
    isUsed ? api.phones({ search: value, limit: mostSuggestions }) : undefined,
  );
  // The earlier suggestions remain until the next ones arrive.
  const latest = useRef<readonly PhoneView[]>([]);
  if (data) latest.current = data.records;
  return (
    <>
      <input
        id={id}
        aria-label={label}
        placeholder={label ?? 'Name or number'}
        list={listId}
        value={value}
        required
        autoComplete="off"
        onFocus={() => setUsed(true)}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <datalist id={listId}>
        {further.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
        {latest.current.filter(isOffered).map(({ number, name, phoneNumber }) => (
          <option key={number} value={number}>
            {name} ({number}
            {phoneNumber === undefined ? '' : `, ${phoneNumber}`})
          </option>
        ))}
      </datalist>
    </>
  );
}
