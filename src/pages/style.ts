/** The stylesheet of every page; contrast is AA in both schemes. */
export const style = `:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f7f9, #10151c);
  --surface: light-dark(#ffffff, #18202a);
  --line: light-dark(#dde2e9, #2d3a49);
  --edge: light-dark(#7b8794, #76869a);
  --text: light-dark(#17202b, #e6ebf1);
  --quiet: light-dark(#4a5563, #a7b3c2);
  --accent: light-dark(#0b5d57, #5fd3c4);
  --on-accent: light-dark(#ffffff, #06201d);
  --tint: light-dark(#e6f2f1, #16332f);
  --danger: light-dark(#a61b1b, #ff9b93);
  --on-danger: light-dark(#ffffff, #3b0a07);
  --danger-tint: light-dark(#fdeeee, #3a1d1d);
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  background: var(--ground);
  color: var(--text);
  font: 1rem/1.6 system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif;
  overflow-wrap: break-word;
}
header {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 0.5rem 1rem;
  max-width: 60rem;
  margin: 0 auto;
  padding: 1rem;
}
main { max-width: 44rem; margin: 0 auto; padding: 1rem 1rem 4rem; }
main.narrow { max-width: 28rem; padding-top: 1.5rem; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 0.5rem; padding: 0.5rem 0.75rem; background: var(--surface); z-index: 1; }
.brand {
  display: inline-flex;
  align-items: center;
  gap: 0.55rem;
  color: var(--text);
  font-weight: 700;
  letter-spacing: -0.01em;
  text-decoration: none;
}
.mark {
  width: 1.1rem;
  height: 1.1rem;
  border-radius: 0.3rem;
  background: linear-gradient(135deg, var(--accent) 50%, transparent 50%);
  border: 2px solid var(--accent);
}
nav { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.9rem; font-size: 0.9375rem; }
nav form { margin: 0; }
h1 { margin: 1rem 0 0.5rem; font-size: clamp(1.75rem, 6vw, 2.75rem); line-height: 1.15; letter-spacing: -0.02em; text-wrap: balance; }
.narrow h1 { margin-top: 0; font-size: clamp(1.5rem, 5vw, 1.875rem); }
h2 { margin: 2.5rem 0 0.75rem; font-size: 1.125rem; }
h3 { margin: 0; font-size: 1rem; }
p { margin: 0.75rem 0; }
.lead { color: var(--quiet); font-size: 1.125rem; }
.note { color: var(--quiet); font-size: 0.9375rem; }
.hint { margin: 0.35rem 0 0; color: var(--quiet); font-size: 0.875rem; }
.after { text-align: center; color: var(--quiet); }
a { color: var(--accent); text-underline-offset: 0.15em; }
code { font: 0.875em/1.5 ui-monospace, 'Cascadia Code', Menlo, Consolas, 'Liberation Mono', monospace; overflow-wrap: anywhere; }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; margin: 1.5rem 0; }
.button, button {
  display: inline-block;
  min-height: 2.75rem;
  padding: 0.6rem 1.15rem;
  border: 1px solid var(--accent);
  border-radius: 0.5rem;
  background: var(--accent);
  color: var(--on-accent);
  font: inherit;
  font-weight: 600;
  line-height: 1.4;
  text-align: center;
  text-decoration: none;
  overflow-wrap: anywhere;
  cursor: pointer;
}
.button:hover, button:hover { filter: brightness(1.08); }
.button.plain, button.plain { background: transparent; color: var(--accent); border-color: var(--edge); }
.button.plain:hover, button.plain:hover { background: var(--tint); filter: none; }
.full { display: block; width: 100%; }
.full + .full { margin-top: 0.6rem; }
nav a, nav button { padding: 0.35rem 0; color: var(--text); text-decoration: none; }
nav button { min-height: 0; border: 0; background: none; font-weight: 400; line-height: 1.6; }
nav a:hover, nav button:hover { text-decoration: underline; filter: none; }
button.danger { border-color: var(--danger); background: var(--danger); color: var(--on-danger); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.card { margin: 1.25rem 0; padding: 1.25rem; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--surface); }
.card > :first-child, .card > form > :first-child { margin-top: 0; }
.card > :last-child { margin-bottom: 0; }
pre {
  margin: 0.75rem 0;
  padding: 1rem;
  overflow-x: auto;
  border: 1px solid var(--line);
  border-radius: 0.75rem;
  background: var(--surface);
  font: 0.875rem/1.55 ui-monospace, 'Cascadia Code', Menlo, Consolas, 'Liberation Mono', monospace;
}
label { display: block; font-weight: 600; }
input:not([type='checkbox']), select, textarea {
  width: 100%;
  min-height: 2.75rem;
  margin: 0.25rem 0 1rem;
  padding: 0.6rem 0.75rem;
  border: 1px solid var(--edge);
  border-radius: 0.5rem;
  background: var(--surface);
  color: var(--text);
  font: inherit;
  line-height: 1.4;
}
.card input:not([type='checkbox']), .card select, .card textarea { background: var(--ground); }
.field { margin-bottom: 1rem; }
.field input:not([type='checkbox']), .field select { margin-bottom: 0; }
.row { display: flex; flex-wrap: wrap; align-items: end; gap: 0.75rem; }
.row .field { flex: 1 1 14rem; margin: 0; }
.divider { display: flex; align-items: center; gap: 0.75rem; color: var(--quiet); font-size: 0.875rem; }
.divider::before, .divider::after { content: ''; flex: 1; border-top: 1px solid var(--line); }
.alert {
  padding: 0.7rem 0.9rem;
  border: 1px solid var(--danger);
  border-radius: 0.5rem;
  background: var(--danger-tint);
  color: var(--text);
}
.client { color: var(--accent); overflow-wrap: anywhere; }
.facts { margin: 0 0 1rem; }
.facts > div { margin-bottom: 0.75rem; }
.facts dt { font-weight: 600; }
.facts dd { margin: 0; overflow-wrap: anywhere; }
fieldset { margin: 0; padding: 0; border: 0; }
legend { padding: 0; font-weight: 600; }
.scopes { margin: 0.25rem 0 0; padding: 0; list-style: none; }
.scopes li + li { border-top: 1px solid var(--line); }
.check { display: flex; gap: 0.75rem; margin: 0; padding: 0.6rem 0; font-weight: 400; line-height: 1.4; }
.check code { display: block; color: var(--quiet); }
label.check { cursor: pointer; }
.check input { flex: none; width: 1.15rem; height: 1.15rem; margin: 0.1rem 0 0; accent-color: var(--accent); }
.tick { flex: none; width: 1.15rem; height: 1.15rem; margin-top: 0.1rem; position: relative; }
.tick::after {
  content: '';
  position: absolute;
  left: 0.38rem;
  top: 0.1rem;
  width: 0.35rem;
  height: 0.7rem;
  border: solid var(--accent);
  border-width: 0 0.15rem 0.15rem 0;
  transform: rotate(42deg);
}
.card .actions { margin: 1.25rem 0 0; }
.card .actions button { flex: 1 1 8rem; }
.apps { margin: 0; padding: 0; list-style: none; }
.app { margin: 0.75rem 0; padding: 1rem 1.25rem; }
.app .title { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 0.6rem; }
.app .title h3 { overflow-wrap: anywhere; }
.badge { padding: 0.05rem 0.55rem; border-radius: 1rem; background: var(--tint); color: var(--accent); font-size: 0.8125rem; font-weight: 600; }
.badge.off { background: transparent; color: var(--quiet); border: 1px solid var(--line); }
.meta { margin: 0.3rem 0 0; color: var(--quiet); font-size: 0.875rem; }
.revoked { background: transparent; }
.revoked h3 { color: var(--quiet); font-weight: 500; }
details { margin-top: 0.6rem; }
summary { display: inline-block; padding: 0.2rem 0; color: var(--danger); font-weight: 600; cursor: pointer; }
summary::before { content: '+ '; font-family: ui-monospace, monospace; }
details[open] summary::before { content: '- '; }
.fresh { border: 2px solid var(--accent); background: var(--tint); }
.secret { display: block; resize: none; field-sizing: content; word-break: break-all; font: 0.9375rem/1.5 ui-monospace, Menlo, Consolas, 'Liberation Mono', monospace !important; }
.empty { color: var(--quiet); text-align: center; }
.choice { margin: 1.25rem 0; }
@media (prefers-reduced-motion: no-preference) {
  .button, button { transition: background-color 120ms, filter 120ms; }
}
`;
