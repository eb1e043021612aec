/** Style of the sign-in pages: light and dark, wide and narrow, with a visible focus. */
export const style = `
:root { --back: #eef1f6; --card: #fff; --text: #1a2233; --soft: #566179; --line: #c3cad8; --main: #1f57c3; --on-main: #fff; --bad: #a61b1b; --bad-back: #fdecec; }
@media (prefers-color-scheme: dark) {
  :root { --back: #10141c; --card: #1a202c; --text: #eef1f7; --soft: #a8b3c7; --line: #465269; --main: #8ab0ff; --on-main: #0d1524; --bad: #ffb3b3; --bad-back: #3b1d20; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.25rem; background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 26rem; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: 1rem; }
h1 { margin: 0 0 .5rem; font-size: 1.4rem; line-height: 1.25; }
p { margin: 0 0 1rem; }
.soft, .foot { color: var(--soft); }
.foot { margin: 1.5rem 0 0; font-size: .85rem; }
label { display: block; margin: 1rem 0 .25rem; font-weight: 600; }
input { width: 100%; padding: .65rem .75rem; font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .5rem; }
ul { max-height: 45vh; overflow-y: auto; margin: 0 0 1.5rem; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: .5rem; }
li { padding: .6rem .75rem; border-top: 1px solid var(--line); }
li:first-child { border-top: 0; }
li span { display: block; color: var(--soft); font-size: .9rem; }
.actions { display: flex; gap: .75rem; margin-top: 1.5rem; }
button { flex: 1; padding: .7rem 1rem; font: inherit; font-weight: 600; border-radius: .5rem; border: 1px solid var(--main); background: var(--main); color: var(--on-main); cursor: pointer; }
button.quiet { background: transparent; color: var(--main); }
:focus-visible { outline: 3px solid var(--main); outline-offset: 2px; }
.error { padding: .65rem .75rem; border-radius: .5rem; background: var(--bad-back); color: var(--bad); }
code { overflow-wrap: anywhere; }
`;
