import { route, type Route } from '../route.ts';
import { isAsking } from './question.ts';

/** The elements that the Tab key reaches. */
const reachable = 'a[href], button, input, select, textarea, summary, audio, [tabindex="0"]';

/** An element around the focused one. */
interface Around {
  readonly box: Element;
  /** Number of reachable elements in the box before the focused one. */
  readonly at: number;
}

interface Place {
  readonly element: HTMLElement;
  /** From inside to outside, up to the view. */
  readonly around: readonly Around[];
  readonly route: Route;
}

/**
 * Keeps the visible focus when a redraw removes, moves or disables the focused element: after an action, its button may no
 * longer exist, and browsers then move the focus to the start of the page. The focus moves to the element that is now
 * at the same position. A change of the place in the page moves the focus itself. Returns a function that stops this.
 */
export function keepFocus(): () => void {
  let place: Place | undefined;
  const note = (): void => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element.closest('dialog')) return;
    place = element.matches(':focus-visible') ? placeOf(element) : undefined;
  };
  // A click on an element without focus removes the focus intentionally.
  const forget = (): void => {
    place = undefined;
  };
  const check = (): void => {
    if (!place || place.route !== route.peek() || isAsking()) return;
    if (isLost(document.activeElement)) restore(place);
  };
  const observer = new MutationObserver(check);
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['disabled'],
  });
  addEventListener('focusin', note);
  addEventListener('pointerdown', forget, { capture: true });
  addEventListener('keydown', ignoreRepeated);
  return () => {
    observer.disconnect();
    removeEventListener('focusin', note);
    removeEventListener('pointerdown', forget, { capture: true });
    removeEventListener('keydown', ignoreRepeated);
  };
}

/** Whether no element has the focus, or one that cannot be used. */
function isLost(focused: Element | null): boolean {
  return focused === null || focused === document.body || focused.matches(':disabled');
}

/** A key that is held does not press the button to which the focus moves. */
function ignoreRepeated(event: KeyboardEvent): void {
  const isButton = (event.target as Element | null)?.matches('button, a') ?? false;
  if (event.repeat && event.key === 'Enter' && isButton) event.preventDefault();
}

function placeOf(element: HTMLElement): Place {
  const around: Around[] = [];
  const view = element.closest('main');
  let box = view ? element.parentElement : null;
  while (box && view?.contains(box)) {
    around.push({ box, at: reachableIn(box).indexOf(element) });
    box = box.parentElement;
  }
  return { element, around, route: route.peek() };
}

function reachableIn(box: Element): readonly HTMLElement[] {
  return [...box.querySelectorAll<HTMLElement>(reachable)];
}

/** Moves the focus without scrolling, because the user may have scrolled away from the focused row of a long list. */
function restore({ element, around }: Place): void {
  if (hasTakenFocus(element)) return;
  for (const { box, at } of around) {
    if (!box.isConnected) continue;
    const all = reachableIn(box);
    const nearest = [...all.slice(at), ...all.slice(0, at).toReversed()];
    if (nearest.some(hasTakenFocus)) return;
  }
  document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
}

/** Moves the focus to an element. A removed, hidden or disabled element does not take it. */
function hasTakenFocus(element: HTMLElement): boolean {
  element.focus({ preventScroll: true });
  return document.activeElement === element && !element.matches(':disabled');
}

/** Whether an element is a field, whose text a key would change. */
export function isField(element: EventTarget | null): boolean {
  return element instanceof Element && element.matches('input, select, textarea');
}

/** Moves the focus to the pressed button, which opened a panel that closes now. */
export function focusPressed(): void {
  document.querySelector<HTMLElement>('main button[aria-pressed="true"]')?.focus();
}
