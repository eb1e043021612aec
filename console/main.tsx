import { render } from 'preact';
import { App } from './app.tsx';
import { followChanges } from './changes.ts';
import { followRoute, sandboxViews } from './route.ts';

const root = document.querySelector('#app');
if (root) {
  root.replaceChildren();
  followRoute(sandboxViews);
  followChanges();
  render(<App />, root);
}
