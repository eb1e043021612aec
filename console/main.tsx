import { render } from 'preact';
import { App } from './app.tsx';
import { followChanges } from './changes.ts';
import { followRoute } from './route.ts';

const root = document.querySelector('#app');
if (root) {
  root.replaceChildren();
  followRoute();
  followChanges();
  render(<App />, root);
}
