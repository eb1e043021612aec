import { useLayoutEffect, useState } from 'preact/hooks';

/** The width below which the style sheet arranges the views for narrow windows. */
const narrow = matchMedia('(max-width: 45em)');

/** Whether the window is narrow. */
export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(narrow.matches);
  useLayoutEffect(() => {
    const follow = (): void => setNarrow(narrow.matches);
    narrow.addEventListener('change', follow);
    return () => narrow.removeEventListener('change', follow);
  }, []);
  return isNarrow;
}
